"""Times of day, as five languages say and write them."""

from __future__ import annotations

import pytest

from tests.kinds.readers.cases import by_rules, lines, shown

CASES = """
en | at 3pm | 11-05 15:00
en | 3 p.m. | 11-05 15:00
en | 3p | 11-05 15:00
en | 11 AM | 11-05 11:00
en | noon | 11-05 12:00
en | 12 noon | 11-05 12:00
en | midnight | 11-06 00:00 rolled | 11-05 00:00 past
en | 15:30 | 11-05 15:30
en | 9:15 | 11-05 21:15 open_meridiem | 11-06 09:15 open_meridiem rolled
en | 09:45 | 11-05 09:45
en | 1530 hours | 11-05 15:30
en | at 1530 | 11-05 15:30
en | 1140 a.m. | 11-05 11:40
en | half past six | 11-05 18:30 open_meridiem | 11-06 06:30 open_meridiem rolled
en | a quarter past 1pm | 11-05 13:15
en | quarter to 5 | 11-05 16:45 open_meridiem | 11-06 04:45 open_meridiem rolled
en | 20 to 5 | 11-05 16:40 open_meridiem | 11-06 04:40 open_meridiem rolled
en | ten to nine | 11-05 20:50 open_meridiem | 11-06 08:50 open_meridiem rolled
en | ten past 9 in the evening | 11-05 21:10
en | 15 minutes past 3pm | 11-05 15:15
en | nine fifty nine p m | 11-05 21:59
en | at three thirty | 11-05 15:30 open_meridiem | 11-06 03:30 open_meridiem rolled
en | 3 o'clock in the afternoon | 11-05 15:00
en | 12:15 in the afternoon | 11-05 12:15
en | 7 in the morning | 11-06 07:00 rolled | 11-05 07:00 past
en | 10, tonight | 11-05 22:00
en | this morning at 11 | 11-05 11:00
en | this afternoon around 4 | 11-05 16:00
en | last night at 8 | 11-04 20:00 past
en | 12 at night | 11-06 00:00 forced rolled | 11-05 00:00 forced past
en | at 3 | 11-05 15:00 open_meridiem | 11-06 03:00 open_meridiem rolled
en | 3ish | 11-05 15:00 approximate open_meridiem | 11-06 03:00 approximate open_meridiem rolled
en | 8.30pm | 11-05 20:30
gb | half seven | 11-05 19:30 open_meridiem | 11-06 07:30 open_meridiem rolled
gb | half seven tomorrow evening | 11-06 19:30
de | um 15 Uhr | 11-05 15:00
de | 8 Uhr | 11-06 08:00 rolled | 11-05 08:00 past
de | 15.30 Uhr | 11-05 15:30
de | 18 Uhr 12 | 11-05 18:12
de | um 3 | 11-05 15:00 open_meridiem | 11-06 03:00 open_meridiem rolled
de | halb acht | 11-05 19:30 open_meridiem | 11-06 07:30 open_meridiem rolled
de | heute Abend um halb acht | 11-05 19:30
de | fünf vor halb acht | 11-05 19:25 open_meridiem | 11-06 07:25 open_meridiem rolled
de | fünf nach halb acht | 11-05 19:35 open_meridiem | 11-06 07:35 open_meridiem rolled
de | viertel nach drei | 11-05 15:15 open_meridiem | 11-06 03:15 open_meridiem rolled
de | viertel vor drei | 11-05 14:45 open_meridiem | 11-06 02:45 open_meridiem rolled
de | viertel acht | 11-05 19:15 open_meridiem | 11-06 07:15 open_meridiem rolled
de | dreiviertel acht | 11-05 19:45 open_meridiem | 11-06 07:45 open_meridiem rolled
de | zehn vor neun | 11-05 20:50 open_meridiem | 11-06 08:50 open_meridiem rolled
de | um drei Uhr nachmittags | 11-05 15:00
de | mittags um 12 | 11-05 12:00
de | Mitternacht | 11-06 00:00 rolled | 11-05 00:00 past
fr | à 15h | 11-05 15:00
fr | 15h30 | 11-05 15:30
fr | huit heures du soir | 11-05 20:00
fr | sept heures moins le quart | 11-05 18:45 open_meridiem | 11-06 06:45 open_meridiem rolled
fr | sept heures moins dix | 11-05 18:50 open_meridiem | 11-06 06:50 open_meridiem rolled
fr | midi et demi | 11-05 12:30
fr | 3 heures de l'après-midi | 11-05 15:00
fr | ce soir à 8h | 11-05 20:00
fr | minuit | 11-06 00:00 rolled | 11-05 00:00 past
es | a las tres de la tarde | 11-05 15:00
es | a las siete y media | 11-05 19:30 open_meridiem | 11-06 07:30 open_meridiem rolled
es | a las siete menos cuarto | 11-05 18:45 open_meridiem | 11-06 06:45 open_meridiem rolled
es | a las tres y veinte | 11-05 15:20 open_meridiem | 11-06 03:20 open_meridiem rolled
es | a las ocho de la noche | 11-05 20:00
es | a la una | 11-05 13:00 open_meridiem | 11-06 01:00 open_meridiem rolled
es | mediodía | 11-05 12:00
es | a las 15:30 | 11-05 15:30
mx | a las 3 p. m. | 11-05 15:00
mx | a las 10 | 11-05 10:00 open_meridiem | 11-05 22:00 open_meridiem
pt | às 15h | 11-05 15:00
pt | às sete e meia | 11-05 19:30 open_meridiem | 11-06 07:30 open_meridiem rolled
pt | quinze para as oito | 11-05 19:45 open_meridiem | 11-06 07:45 open_meridiem rolled
pt | às 3 da tarde | 11-05 15:00
pt | ao meio-dia | 11-05 12:00
pt | uma e trinta | 11-05 13:30 open_meridiem | 11-06 01:30 open_meridiem rolled
"""


@pytest.mark.parametrize(("locale", "hint", "readings"), lines(CASES))
def test_times_of_day(locale: str, hint: str, readings: list[str]) -> None:
    assert [shown(r) for r in by_rules(hint, locale)][: len(readings) or 1] == readings
