"""Small benchmark files as their publishers write them, with names of our own."""

from __future__ import annotations

import json
from pathlib import Path

SENTENCES = (
    (7, "email_sendemail", ["send", "mail", "to", "zoe", "quill", "'s", "boss"], [("person", [3, 4])]),
    (9, "weather_query", ["weather", "in", "port", "elm"], [("place_name", [2, 3])]),
    (12, "email_query", ["mail", "from", "zoe"], [("person", [2])]),
    (15, "email_query", ["mail", "from", "ivo"], [("person", [2])]),
)
HEARD = (
    ("a.flac", 7, "send male to zoe quill 's boss"),
    ("b.flac", 7, "send mail to joey quill 's boss"),
    ("c.flac", 9, "weather in < unk > elm"),
    ("d.flac", 12, "mail from zoe"),
    ("e.flac", 12, "mail from"),
    ("f.flac", 15, "mail from zoe"),
)


def slurp(root: Path) -> None:
    """Sentences and transcripts, as upstream has them."""
    recordings: dict[int, list[dict]] = {}
    for file, slurp_id, _ in HEARD:
        recordings.setdefault(slurp_id, []).append({"file": file, "wer": 0.0})
    lines(
        root / "slurp" / "test_toy.jsonl",
        *(
            {
                "slurp_id": slurp_id,
                "intent": intent,
                "tokens": [{"surface": word, "id": at} for at, word in enumerate(words)],
                "entities": [{"type": slot, "span": span} for slot, span in entities],
                "recordings": recordings[slurp_id],
            }
            for slurp_id, intent, words, entities in SENTENCES
        ),
    )
    transcripts = root / "slurp" / "multi_slurp_hermit_predictions_toy.jsonl"
    lines(transcripts, *({"file": file, "text": text} for file, _, text in HEARD))


def aligned(root: Path, *rows: dict, name: str = "aligned_toy.jsonl") -> None:
    """Spans that are aligned already; a row says what it wants to be different."""
    plain = {
        "slurp_id": 1,
        "file": "a.flac",
        "mic": "far",
        "slot": "person",
        "hint": "zoe",
        "gold": "zoe",
        "anchored": True,
        "asr": "mail from zoe",
        "text": "mail from zoe",
        "intent": "email_query",
    }
    lines(root / "slurp" / name, *(plain | row for row in rows))


def ancestry(root: Path) -> None:
    """Pairs and lists of common names, as upstream has them."""
    folder = root / "ancestry"
    folder.mkdir(parents=True, exist_ok=True)
    pairs = [f'"","","name{at}","nayme{at}",""' for at in range(30)]
    pairs += [f'"1","","name{at}","other{at}","https://names.example"' for at in range(20)]
    pairs += [
        '"q","","name1","doubtful",""',
        '"","x","name2","nick",""',
        '"","","name3","name3",""',
        '"","","rare","rear",""',
    ]
    text = "\n".join(['"Bad","Nickname","HeadName","VariantName",""', *pairs])
    (folder / "AncestryGivennamePairs.csv").write_text(text + "\n", "utf-8")
    (folder / "givenname_common.txt").write_text("".join(f"name{at},{900 - at}\n" for at in range(300)), "utf-8")
    (folder / "surname_common.txt").write_text("".join(f"family{at}\n" for at in range(50)), "utf-8")


def books(root: Path, *rows: dict, name: str = "books_toy.jsonl") -> None:
    """Address books that come ready."""
    plain = {
        "id": "good-0",
        "hint": "mikel",
        "nickname": False,
        "names": ["mike roe", "ana poe"],
        "intended": "mike roe",
    }
    lines(root / "ancestry" / name, *(plain | row for row in rows))


def nicknames(root: Path, *pairs: tuple[str, str]) -> None:
    """(name, nickname) of every pair."""
    folder = root / "nicknames"
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"{name},has_nickname,{nickname}" for name, nickname in pairs]
    (folder / "names.csv").write_text("\n".join(["name1,relationship,name2", *rows]) + "\n", "utf-8")


def act(slot: str, said: str, canonical: str) -> dict:
    return {"act": "INFORM", "slot": slot, "values": [said], "canonical_values": [canonical]}


def dialogue(dialogue_id: str, *turns: dict) -> dict:
    return {"dialogue_id": dialogue_id, "services": ["Restaurants_1"], "turns": list(turns)}


def turn(*acts: dict, speaker: str = "USER", service: str = "Restaurants_1", **more: object) -> dict:
    frame = {"service": service, "slots": [], "actions": list(acts)} | more
    return {"speaker": speaker, "utterance": "as said", "frames": [frame]}


def sgd(root: Path, *dialogues: dict, name: str = "dialogues_001.json") -> None:
    folder = root / "sgd"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(list(dialogues)), "utf-8")


def lines(path: Path, *rows: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
