"""The agent's side: the frozen context of one request."""

from starebrain.agent.context import AgentContext, build_agent_context, infer_confidence

__all__ = ["AgentContext", "build_agent_context", "infer_confidence"]
