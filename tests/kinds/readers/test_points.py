"""Days with a time, and times counted from now or from another one."""

from __future__ import annotations

import pytest

from tests.kinds.readers.cases import by_rules, lines, shown

CASES = """
en | tomorrow at 3pm | 11-06 15:00
en | next Friday at noon | 11-13 12:00 open_weekday | 11-06 12:00 open_weekday
en | 11/12 at 2pm | 11-12 14:00
gb | 12/11 at 2pm | 11-12 14:00
en | 2026-11-09 16:00 | 11-09 16:00
en | 2026-11-09T16:00:30 | 11-09 16:00
en | Thursday at 9am | 11-12 09:00 open_weekday | 11-05 09:00 open_weekday past
en | Thursday at 5pm | 11-05 17:00 open_weekday | 11-12 17:00 open_weekday
en | tomorrow at 3 | 11-06 15:00 open_meridiem | 11-06 03:00 open_meridiem
en | tmr 3 | 11-06 15:00 open_meridiem | 11-06 03:00 open_meridiem
en | Friday 3pm | 11-06 15:00
en | Nov 12 9:30 | 11-12 09:30 open_meridiem | 11-12 21:30 open_meridiem
en | yesterday at 5pm | 11-04 17:00 past
en | today at 9am | 11-05 09:00 past
en | Friday at midnight | 11-06 00:00 forced | 11-07 00:00 forced
en | tonight at midnight | 11-06 00:00
en | tonight at 1am | 11-06 01:00 forced | 11-05 01:00 forced past
en | the 12th at 4 pm | 11-12 16:00
en | 3rd of next month at 4 pm | 12-03 16:00
en | Christmas Eve at 6pm | 12-24 18:00
en | Saturday morning at 9 | 11-07 09:00
en | around 3pm tomorrow | 11-06 15:00 approximate
en | in half an hour | 11-05 10:00
en | in an hour and a half | 11-05 11:00
en | in 2 hours | 11-05 11:30
en | in 90 minutes | 11-05 11:00
en | in 1/2 h | 11-05 10:00
en | in 0.5 hours | 11-05 10:00
en | in a couple of hours | 11-05 11:30
en | in 3 days | 11-08 00:00/11-09 00:00 no_time
en | in 3 days at 5pm | 11-08 17:00
en | in two weeks | 11-19 00:00/11-20 00:00 no_time
en | in 4 months at 5pm | 2027-03-05 17:00 forced
en | 3 days from now | 11-08 00:00/11-09 00:00 no_time
en | 10 minutes ago | 11-05 09:20 past
en | two weeks ago | 10-22 00:00/10-23 00:00 no_time past
en | a week from Monday | 11-16 00:00/11-17 00:00 no_time
en | two days after tomorrow | 11-08 00:00/11-09 00:00 no_time
en | 3 days before Nov 20 | 11-17 00:00/11-18 00:00 no_time
en | two weeks from tomorrow at 10am | 11-20 10:00
en | an hour before noon | 11-05 11:00
en | 15 minutes from 1pm | 11-05 13:15
en | next tuesday +10 days | 11-20 00:00/11-21 00:00 no_time
en | in 5 business days | 11-12 00:00/11-13 00:00 no_time
en | now | 11-05 09:30
en | asap | 11-05 09:30
de | morgen um 15 Uhr | 11-06 15:00
de | Freitag um 2 | 11-06 14:00 open_meridiem | 11-06 02:00 open_meridiem
de | Sonntag um 15 Uhr | 11-08 15:00
de | in einer halben Stunde | 11-05 10:00
de | in anderthalb Stunden | 11-05 11:00
de | in einer Dreiviertelstunde | 11-05 10:15
de | in zwei Wochen | 11-19 00:00/11-20 00:00 no_time
de | heute in einer Woche | 11-12 00:00/11-13 00:00 no_time
de | Montag in einer Woche | 11-16 00:00/11-17 00:00 no_time
de | vor zwei Tagen | 11-03 00:00/11-04 00:00 no_time past
de | vor 10 Minuten | 11-05 09:20 past
de | in 3 Tagen um 9 Uhr | 11-08 09:00
de | morgen früh um 8 | 11-06 08:00
fr | demain à 15h30 | 11-06 15:30
fr | vendredi prochain à midi | 11-06 12:00 open_weekday | 11-13 12:00 open_weekday
fr | dans une demi-heure | 11-05 10:00
fr | dans une heure et demie | 11-05 11:00
fr | dans un quart d'heure | 11-05 09:45
fr | dans 15 jours | 11-20 00:00/11-21 00:00 no_time
fr | il y a deux jours | 11-03 00:00/11-04 00:00 no_time past
fr | le 5 décembre à 10h | 12-05 10:00
es | mañana a las 3 de la tarde | 11-06 15:00
es | en media hora | 11-05 10:00
es | en una hora y media | 11-05 11:00
es | dentro de dos semanas | 11-19 00:00/11-20 00:00 no_time
es | hace dos días | 11-03 00:00/11-04 00:00 no_time past
es | el lunes dentro de una semana | 11-16 00:00/11-17 00:00 no_time
es | el 5 de diciembre a las 10 | 12-05 10:00
pt | amanhã às 15h | 11-06 15:00
pt | segunda-feira às 10 | 11-09 10:00
pt | em meia hora | 11-05 10:00
pt | daqui a uma hora e meia | 11-05 11:00
pt | daqui a duas semanas | 11-19 00:00/11-20 00:00 no_time
pt | há dois dias | 11-03 00:00/11-04 00:00 no_time past
"""


@pytest.mark.parametrize(("locale", "hint", "readings"), lines(CASES))
def test_points(locale: str, hint: str, readings: list[str]) -> None:
    assert [shown(r) for r in by_rules(hint, locale)][: len(readings) or 1] == readings
