"""The schema of a memory file, as migrations that are only ever added to.

No column can hold free text: every text is held to a closed vocabulary or to the pattern of package names, everything
else is a number within bounds. The checks are the file's own, so they bind whatever program writes to it.
"""

from __future__ import annotations

APPLICATION_ID = 0x53544252
"""SQLite's mark of whose file it is: "STBR"."""

_RULES = "'article', 'posterior'"
_TYPES = (
    "'send_message', 'create_event', 'open_file', 'payment', 'general', 'purchase', 'call', 'navigate', "
    "'share_location', 'set_reminder', 'set_alarm', 'play_media', 'open_app'"
)

MIGRATIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "patterns",
        (
            f"""CREATE TABLE patterns (
                rule TEXT NOT NULL CHECK (rule IN ({_RULES})),
                intent_type TEXT NOT NULL CHECK (intent_type IN ({_TYPES})),
                last_seen INTEGER NOT NULL CHECK (last_seen BETWEEN -62135596800000000 AND 253402300800000000),
                tasks REAL NOT NULL CHECK (tasks BETWEEN 0 AND 1e15),
                steps REAL NOT NULL CHECK (steps BETWEEN 0 AND 1e15),
                approved REAL NOT NULL CHECK (approved BETWEEN 0 AND 1e15),
                edited REAL NOT NULL CHECK (edited BETWEEN 0 AND 1e15),
                declined REAL NOT NULL CHECK (declined BETWEEN 0 AND 1e15),
                confirmed INTEGER NOT NULL CHECK (confirmed >= 0),
                skipped INTEGER NOT NULL CHECK (skipped >= 0),
                PRIMARY KEY (rule, intent_type)
            ) STRICT, WITHOUT ROWID""",
            f"""CREATE TABLE packages (
                rule TEXT NOT NULL CHECK (rule IN ({_RULES})),
                intent_type TEXT NOT NULL CHECK (intent_type IN ({_TYPES})),
                package TEXT NOT NULL CHECK (
                    length(CAST(package AS BLOB)) BETWEEN 3 AND 128
                    AND length(package) = length(CAST(package AS BLOB))
                    AND package NOT GLOB '*[^A-Za-z0-9_.]*'
                    AND package GLOB '[A-Za-z]*.[A-Za-z]*'
                    AND package NOT GLOB '*.'
                    AND package NOT GLOB '*.[^A-Za-z]*'
                ),
                weight REAL NOT NULL CHECK (weight > 0 AND weight <= 1e15),
                PRIMARY KEY (rule, intent_type, package)
            ) STRICT, WITHOUT ROWID""",
        ),
    ),
)
"""Names and statements, in order; the file's ``user_version`` says how many it has. A released one is never edited:
a new intent type is a migration that makes the tables anew."""
