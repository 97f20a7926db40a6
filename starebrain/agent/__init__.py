"""The agent's side: the frozen context of one request, what the user approved of it, and whether that still holds."""

from starebrain.agent.confirmation import confirm
from starebrain.agent.context import AgentContext, build_agent_context, infer_confidence
from starebrain.agent.contract import Approval, Approved, How, is_genuine
from starebrain.agent.dispatcher import (
    Attempt,
    Dispatcher,
    Executed,
    Observation,
    Outcome,
    Reason,
    RecordingDispatcher,
    Refused,
    Unresolved,
    dispatch,
    settle,
)
from starebrain.agent.providers import Providers, capture, providers_of
from starebrain.agent.verification import Change, Rival, State, Verdict, Why, compare, verify

__all__ = [
    "AgentContext",
    "Approval",
    "Approved",
    "Attempt",
    "Change",
    "Dispatcher",
    "Executed",
    "How",
    "Observation",
    "Outcome",
    "Providers",
    "Reason",
    "RecordingDispatcher",
    "Refused",
    "Rival",
    "State",
    "Unresolved",
    "Verdict",
    "Why",
    "build_agent_context",
    "capture",
    "compare",
    "confirm",
    "dispatch",
    "infer_confidence",
    "is_genuine",
    "providers_of",
    "settle",
    "verify",
]
