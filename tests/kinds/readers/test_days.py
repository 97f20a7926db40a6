"""Days, weeks, months and parts of them, and parts of the day."""

from __future__ import annotations

import pytest

from tests.kinds.readers.cases import by_rules, lines, shown

CASES = """
en | today | 11-05 00:00/11-06 00:00 no_time
en | tomorrow | 11-06 00:00/11-07 00:00 no_time
en | the day after tomorrow | 11-07 00:00/11-08 00:00 no_time
en | yesterday | 11-04 00:00/11-05 00:00 no_time past
en | Saturday | 11-07 00:00/11-08 00:00 no_time
en | Thursday | 11-05 00:00/11-06 00:00 no_time open_weekday | 11-12 00:00/11-13 00:00 no_time open_weekday
en | next Friday | 11-13 00:00/11-14 00:00 no_time open_weekday | 11-06 00:00/11-07 00:00 no_time open_weekday
en | next Tuesday | 11-10 00:00/11-11 00:00 no_time
en | this Friday | 11-06 00:00/11-07 00:00 no_time
en | this Monday | 11-09 00:00/11-10 00:00 no_time open_weekday | 11-02 00:00/11-03 00:00 no_time open_weekday past
en | last Monday | 10-26 00:00/10-27 00:00 no_time open_weekday past | 11-02 00:00/11-03 00:00 no_time open_weekday past
en | Monday week | 11-16 00:00/11-17 00:00 no_time
en | Friday after next | 11-20 00:00/11-21 00:00 no_time open_weekday
en | Monday of next week | 11-09 00:00/11-10 00:00 no_time
en | the 12th | 11-12 00:00/11-13 00:00 no_time
en | the 3rd | 12-03 00:00/12-04 00:00 no_time
en | the 31st | 12-31 00:00/2027-01-01 00:00 no_time
en | Tuesday the 24th | 11-24 00:00/11-25 00:00 no_time
en | Tuesday 3 | 11-03 00:00/11-04 00:00 no_time open_weekday past
en | Nov 12 | 11-12 00:00/11-13 00:00 no_time
en | 12 November | 11-12 00:00/11-13 00:00 no_time
en | the third of march | 2027-03-03 00:00/2027-03-04 00:00 no_time
en | March 3rd, 2027 | 2027-03-03 00:00/2027-03-04 00:00 no_time
en | Sunday, March 7, 2027 | 2027-03-07 00:00/2027-03-08 00:00 no_time
en | Dec. 21 | 12-21 00:00/12-22 00:00 no_time
en | 23/Sep/2027 | 2027-09-23 00:00/2027-09-24 00:00 no_time
en | Feb 29 | 2028-02-29 00:00/2028-03-01 00:00 no_time
en | 11/12 | 11-12 00:00/11-13 00:00 no_time
en | 11/13 | 11-13 00:00/11-14 00:00 no_time
en | 13/11 | 11-13 00:00/11-14 00:00 no_time
en | 3/4/27 | 2027-03-04 00:00/2027-03-05 00:00 no_time
en | 2026-11-09 | 11-09 00:00/11-10 00:00 no_time
en | 20261109 | 11-09 00:00/11-10 00:00 no_time
en | 9.11.2026 | 11-09 00:00/11-10 00:00 no_time
gb | 11/12 | 12-11 00:00/12-12 00:00 no_time
gb | 3/4/27 | 2027-04-03 00:00/2027-04-04 00:00 no_time
en | this month | 11-01 00:00/12-01 00:00 no_time
en | next month | 12-01 00:00/2027-01-01 00:00 no_time
en | the 15th of next month | 12-15 00:00/12-16 00:00 no_time
en | May | 2027-05-01 00:00/2027-06-01 00:00 no_time
en | next May | 2027-05-01 00:00/2027-06-01 00:00 no_time
en | this September | 09-01 00:00/10-01 00:00 no_time past
en | April 2027 | 2027-04-01 00:00/2027-05-01 00:00 no_time
en | next week | 11-09 00:00/11-16 00:00 no_time
en | the week after next | 11-16 00:00/11-23 00:00 no_time
en | the week of November 16 | 11-16 00:00/11-23 00:00 no_time
en | week 50 | 12-07 00:00/12-14 00:00 no_time
en | this weekend | 11-07 00:00/11-09 00:00 no_time
en | next weekend | 11-14 00:00/11-16 00:00 no_time open_weekday | 11-07 00:00/11-09 00:00 no_time open_weekday
en | next quarter | 2027-01-01 00:00/2027-04-01 00:00 no_time
en | Q1 2027 | 2027-01-01 00:00/2027-04-01 00:00 no_time
en | 2027 H2 | 2027-07-01 00:00/2028-01-01 00:00 no_time
en | 2027 | 2027-01-01 00:00/2028-01-01 00:00 no_time
en | next year | 2027-01-01 00:00/2028-01-01 00:00 no_time
en | the first Monday of December | 12-07 00:00/12-08 00:00 no_time
en | last friday of November | 11-27 00:00/11-28 00:00 no_time
en | the last day of the month | 11-30 00:00/12-01 00:00 no_time
en | third week of January | 2027-01-18 00:00/2027-01-25 00:00 no_time
en | end of the month | 11-21 00:00/12-01 00:00 no_time
en | early next week | 11-09 00:00/11-11 00:00 no_time
en | mid December | 12-11 00:00/12-21 00:00 no_time
en | beginning of next year | 2027-01-01 00:00/2027-05-01 00:00 no_time
en | Thanksgiving | 11-26 00:00/11-27 00:00 no_time
en | Christmas Eve | 12-24 00:00/12-25 00:00 no_time
en | Easter 2027 | 2027-03-28 00:00/2027-03-29 00:00 no_time
en | last Christmas | 2025-12-25 00:00/2025-12-26 00:00 no_time past
en | labor day | 2027-09-06 00:00/2027-09-07 00:00 no_time
en | tomorrow morning | 11-06 08:00/11-06 12:00 no_time
en | first thing tomorrow | 11-06 06:00/11-06 09:00 no_time
en | tonight | 11-05 18:00/11-06 00:00 no_time
en | Monday evening | 11-09 18:00/11-09 22:00 no_time
en | in the afternoon | 11-05 12:00/11-05 17:00 no_time
en | last night | 11-04 20:00/11-05 00:00 no_time past
de | übermorgen | 11-07 00:00/11-08 00:00 no_time
de | Sonnabend | 11-07 00:00/11-08 00:00 no_time
de | nächsten Freitag | 11-13 00:00/11-14 00:00 no_time open_weekday | 11-06 00:00/11-07 00:00 no_time open_weekday
de | diesen Freitag | 11-06 00:00/11-07 00:00 no_time
de | übernächste Woche | 11-16 00:00/11-23 00:00 no_time
de | am 12. | 11-12 00:00/11-13 00:00 no_time
de | am 5. Dezember | 12-05 00:00/12-06 00:00 no_time
de | 5.12. | 12-05 00:00/12-06 00:00 no_time
de | 05.12.2026 | 12-05 00:00/12-06 00:00 no_time
de | Mittwoch, den siebten vierten | 2027-04-07 00:00/2027-04-08 00:00 no_time
de | Ende des Monats | 11-21 00:00/12-01 00:00 no_time
de | Anfang Dezember | 12-01 00:00/12-11 00:00 no_time
de | KW 50 | 12-07 00:00/12-14 00:00 no_time
de | am Wochenende | 11-07 00:00/11-09 00:00 no_time
de | morgen früh | 11-06 08:00/11-06 12:00 no_time
de | Montagmorgen | 11-09 08:00/11-09 12:00 no_time
de | Dienstag Vormittag | 11-10 09:00/11-10 12:00 no_time
de | heute Abend | 11-05 18:00/11-05 22:00 no_time
de | Heiligabend | 12-24 00:00/12-25 00:00 no_time
de | erster Advent | 11-29 00:00/11-30 00:00 no_time
de | Karfreitag | 2027-03-26 00:00/2027-03-27 00:00 no_time
fr | après-demain | 11-07 00:00/11-08 00:00 no_time
fr | samedi | 11-07 00:00/11-08 00:00 no_time
fr | vendredi prochain | 11-06 00:00/11-07 00:00 no_time open_weekday | 11-13 00:00/11-14 00:00 no_time open_weekday
fr | la semaine prochaine | 11-09 00:00/11-16 00:00 no_time
fr | le 12 | 11-12 00:00/11-13 00:00 no_time
fr | le 5 décembre | 12-05 00:00/12-06 00:00 no_time
fr | mardi en huit | 11-17 00:00/11-18 00:00 no_time
fr | fin du mois | 11-21 00:00/12-01 00:00 no_time
fr | début décembre | 12-01 00:00/12-11 00:00 no_time
fr | ce soir | 11-05 18:00/11-05 22:00 no_time
fr | demain matin | 11-06 08:00/11-06 12:00 no_time
fr | cet après-midi | 11-05 12:00/11-05 17:00 no_time
fr | la veille de Noël | 12-24 00:00/12-25 00:00 no_time
fr | lundi de Pâques | 2027-03-29 00:00/2027-03-30 00:00 no_time
es | pasado mañana | 11-07 00:00/11-08 00:00 no_time
es | sábado | 11-07 00:00/11-08 00:00 no_time
es | el viernes que viene | 11-06 00:00/11-07 00:00 no_time open_weekday | 11-13 00:00/11-14 00:00 no_time open_weekday
es | la próxima semana | 11-09 00:00/11-16 00:00 no_time
es | el 12 | 11-12 00:00/11-13 00:00 no_time
es | el 5 de diciembre | 12-05 00:00/12-06 00:00 no_time
es | a finales de mes | 11-21 00:00/12-01 00:00 no_time
es | mañana por la mañana | 11-06 08:00/11-06 12:00 no_time
es | el lunes por la tarde | 11-09 12:00/11-09 19:00 no_time
es | esta noche | 11-05 18:00/11-06 00:00 no_time
es | Nochebuena | 12-24 00:00/12-25 00:00 no_time
pt | depois de amanhã | 11-07 00:00/11-08 00:00 no_time
pt | sábado | 11-07 00:00/11-08 00:00 no_time
pt | sexta que vem | 11-06 00:00/11-07 00:00 no_time open_weekday | 11-13 00:00/11-14 00:00 no_time open_weekday
pt | semana que vem | 11-09 00:00/11-16 00:00 no_time
pt | dia 12 | 11-12 00:00/11-13 00:00 no_time
pt | 5 de dezembro | 12-05 00:00/12-06 00:00 no_time
pt | fim do mês | 11-21 00:00/12-01 00:00 no_time
pt | amanhã de manhã | 11-06 08:00/11-06 12:00 no_time
pt | segunda à tarde | 11-09 12:00/11-09 19:00 no_time
pt | hoje à noite | 11-05 18:00/11-06 00:00 no_time
pt | véspera de Natal | 12-24 00:00/12-25 00:00 no_time
"""


@pytest.mark.parametrize(("locale", "hint", "readings"), lines(CASES))
def test_days(locale: str, hint: str, readings: list[str]) -> None:
    assert [shown(r) for r in by_rules(hint, locale)][: len(readings) or 1] == readings
