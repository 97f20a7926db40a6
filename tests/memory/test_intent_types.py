from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.evaluate import intent_types as on_slurp
from starebrain.memory import article_type, intent_type
from starebrain.memory.intent_types import _tables
from starebrain.recall import IntentType
from tests import strategies


@pytest.mark.parametrize(
    ("description", "article", "ours"),
    [
        ("Send a message to Bob", "send_message", "send_message"),
        ("SCHEDULE a meeting", "create_event", "create_event"),
        ("put it on my calendar, a party", "create_event", "create_event"),
        ("open the file plan.pdf", "open_file", "open_file"),
        ("pay Bob", "payment", "payment"),
        ("transfer 20 dollars to Bob", "payment", "payment"),
        ("what is the weather", "general", "general"),
        # Defects of the article's rule: a word within a word, what is asked for, what is undone.
        ("resend the invoice", "send_message", "general"),
        ("inspect the payload", "payment", "general"),
        ("reopen the case", "open_file", "general"),
        ("pay attention to the road", "payment", "general"),
        ("what is on my calendar", "create_event", "general"),
        ("did Bob send anything", "send_message", "general"),
        ("cancel the event in my calendar", "create_event", "general"),
        ("open the garage door", "open_file", "general"),
        # The order of its tests: the first word that is contained decides, however the task begins.
        ("pay Bob and send him the receipt", "send_message", "payment"),
        ("send Bob 20 dollars", "send_message", "payment"),
        ("schedule the payment reminder", "create_event", "set_reminder"),
        ("open Spotify", "open_file", "open_app"),
        # What it has no word for.
        ("text mom that I am late", "general", "send_message"),
        ("call mom", "general", "call"),
        ("book a slot for my dentist appointment", "general", "create_event"),
        ("wake me at seven", "general", "set_alarm"),
        ("order a pizza", "general", "purchase"),
        ("share my location with Eve", "general", "share_location"),
        ("remind me to pay the rent", "payment", "set_reminder"),
    ],
)
def test_english(description: str, article: str, ours: str) -> None:
    assert article_type(description) == article
    assert intent_type(description) == ours


@pytest.mark.parametrize(
    ("intent", "descriptions"),
    [
        (
            "send_message",
            "Schick Anna eine Nachricht|envía un mensaje a Ana|envoie un message à Marie|envia uma mensagem ao João",
        ),
        ("call", "Ruf Mama an|llama a mamá|appelle maman|liga para a mãe|liga pro João"),
        ("payment", "Überweise 20 Euro an Tom|paga el alquiler|paye le loyer|transfere 50 reais para Ana"),
        ("payment", "schick Tom 20 €|mándale 20 € a Luis|envoie 20 € à Luc|manda 20 € ao Rui"),
        (
            "create_event",
            "Trag einen Termin mit Dr. Kurz ein|crea una reunión con Pedro|ajoute un rendez-vous|marca uma reunião",
        ),
        (
            "set_reminder",
            "Erinnere mich an den Zahnarzt|recuérdame comprar leche|rappelle-moi d'appeler|lembra-me do pão",
        ),
        (
            "set_alarm",
            "Stell einen Wecker auf sieben|pon una alarma a las siete|mets un réveil à 7 h|põe um alarme para as sete",
        ),
        ("navigate", "Bring mich nach Hause|llévame a casa|emmène-moi à la gare|leva-me para casa"),
        ("play_media", "Spiel Musik von Bach|pon música|joue du jazz|toca música"),
        ("open_app", "Öffne Spotify|abre Spotify|ouvre Instagram|abre o WhatsApp"),
        ("open_file", "Öffne die Datei Plan|abre el archivo plan|ouvre le fichier plan|abre o documento plano"),
        ("purchase", "bestell eine Pizza|compra dos entradas|achète un billet|compra um bilhete"),
        ("general", "wie spät ist es|cuándo es la reunión|quel temps fait-il|quando é a reunião"),
    ],
)
def test_german_spanish_french_portuguese(intent: str, descriptions: str) -> None:
    said = descriptions.split("|")
    assert {text: intent_type(text).value for text in said} == dict.fromkeys(said, intent)


@pytest.mark.parametrize("of", IntentType)
def test_the_name_of_a_type_is_of_that_type(of: IntentType) -> None:
    assert intent_type(of) is of


def test_every_type_but_the_general_one_can_be_said() -> None:
    assert {rule.type for rule in _tables().rules} == set(IntentType)


@given(strategies.texts | st.text(max_size=200))
def test_any_text_has_a_type(text: str) -> None:
    assert intent_type(text) in IntentType
    assert article_type(text) in IntentType


@given(st.sampled_from(("send a message to Bob", "paga el alquiler", "Ruf Mama an")))
def test_case_and_marks_change_nothing(text: str) -> None:
    assert intent_type(text) is intent_type(text.upper()) is intent_type(f"  {text}!!!")


def test_slurp_sentences_that_were_not_looked_at(
    benchmarks_folder: Path, record_property: pytest.RecordProperty
) -> None:
    frame = on_slurp.sentences(benchmarks_folder)
    right = frame.groupby("resolver")["right"].mean()
    record_property("article", round(right["article"], 4))
    record_property("words", round(right["words"], 4))
    assert right["words"] >= 0.9
    assert right["words"] - right["article"] >= 0.15
    figures = on_slurp.estimates(frame).set_index(["metric", "resolver", "type"])["value"]
    for of in ("send_message", "create_event"):
        assert figures["intent_found", "words", of] > figures["intent_found", "article", of] + 0.2
        assert figures["intent_true", "words", of] > figures["intent_true", "article", of]
