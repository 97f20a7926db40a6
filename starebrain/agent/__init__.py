"""The agent's side: the frozen context of one request, what the user approved of it, and whether that still holds."""

from starebrain.agent.confirmation import confirm
from starebrain.agent.context import AgentContext, build_agent_context, infer_confidence
from starebrain.agent.contract import Approval, Approved, How, is_genuine
from starebrain.agent.verification import Change, Rival, State, Verdict, Why, compare, verify

__all__ = [
    "AgentContext",
    "Approval",
    "Approved",
    "Change",
    "How",
    "Rival",
    "State",
    "Verdict",
    "Why",
    "build_agent_context",
    "compare",
    "confirm",
    "infer_confidence",
    "is_genuine",
    "verify",
]
