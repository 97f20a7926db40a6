"""``python -m starebrain.resolve`` makes the machine code of comparisons, so that no first answer waits for it."""

from datetime import UTC, datetime

from starebrain.device import Contact, DeviceContext
from starebrain.intent import ParameterKind
from starebrain.resolve.context_resolver import EvidenceResolver

ann = DeviceContext(datetime(2026, 1, 1, tzinfo=UTC), "UTC", "en_US", contacts=(Contact("1", "Ann"),))
here = EvidenceResolver().on(ann).of(ParameterKind.CONTACT)
hint = here.kind.read("ann")
here.weights.bits(here.compare(hint))
list(here.index.reached(here.question(((hint,),))))
