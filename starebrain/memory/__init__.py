"""Session memory: what finished tasks leave behind, in closed vocabularies and numbers."""

from starebrain.memory.intent_types import article_type, intent_type
from starebrain.memory.learning import ARTICLE, RETENTION, Article, Learned, Observation, Posterior, Rule, observe
from starebrain.memory.store import MemoryStore

__all__ = [
    "ARTICLE",
    "RETENTION",
    "Article",
    "Learned",
    "MemoryStore",
    "Observation",
    "Posterior",
    "Rule",
    "article_type",
    "intent_type",
    "observe",
]
