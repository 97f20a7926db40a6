"""Ranges, earliest and latest times, lengths, offers, recurrence and negation."""

from __future__ import annotations

import pytest

from tests.kinds.readers.cases import by_rules, lines, shown

CASES = """
en | from 2 to 4pm | 11-05 14:00/11-05 16:00
en | from 2 to 4pm tomorrow | 11-06 14:00/11-06 16:00
en | tomorrow from 7:00 to 8:00pm | 11-06 19:00/11-06 20:00
en | 11 to 1pm | 11-05 11:00/11-05 13:00
en | 8pm - 11 | 11-05 20:00/11-05 23:00
en | 8am-9am | 11-06 08:00/11-06 09:00 rolled | 11-05 08:00/11-05 09:00 past
en | Fri 3pm-5pm | 11-06 15:00/11-06 17:00
en | 9-5 on Monday | 11-09 09:00/11-09 17:00 open_meridiem | 11-09 21:00/11-10 05:00 open_meridiem
en | from 14:00 to 16:30 | 11-05 14:00/11-05 16:30
en | from 10:00 pm to 1:00 am | 11-05 22:00/11-06 01:00
en | this evening from 7 to 9 | 11-05 19:00/11-05 21:00
en | 5 to 7 in the evening | 11-05 17:00/11-05 19:00
en | between 5 and 6 | 11-05 17:00/11-05 18:00 open_meridiem window
en | between 4pm and 5pm tomorrow | 11-06 16:00/11-06 17:00 window
en | between 9am and 10am | 11-05 09:00/11-05 10:00 window
en | from 9am to 10am | 11-06 09:00/11-06 10:00 forced rolled | 11-05 09:00/11-05 10:00 past
en | from 2pm for 2 hours | 11-05 14:00/11-05 16:00
en | tomorrow at 3pm for 45 minutes | 11-06 15:00/11-06 15:45
en | November 12 to 15 | 11-12 00:00/11-16 00:00 no_time
en | 12 - 15 November | 11-12 00:00/11-16 00:00 no_time
en | Dec 30 to Jan 2 | 12-30 00:00/2027-01-03 00:00 no_time
en | Monday to Friday | 11-02 00:00/11-07 00:00 no_time
en | from tomorrow to Sunday | 11-06 00:00/11-09 00:00 no_time
en | from May to September | 2027-05-01 00:00/2027-09-01 00:00 no_time
en | from November to January | 11-01 00:00/2027-01-01 00:00 no_time
en | from 10 August to 12 September 2027 | 2027-08-10 00:00/2027-09-13 00:00 no_time
en | before 5pm | 11-05 09:30/11-05 17:00 before
en | by 5pm | 11-05 09:30/11-05 17:00 before
en | by Friday | 11-05 09:30/11-07 00:00 before no_time
en | before Friday | 11-05 09:30/11-06 00:00 before no_time
en | until Friday | 11-05 09:30/11-07 00:00 before no_time
en | after 5pm | 11-05 17:00 after
en | after Friday | 11-07 00:00 after no_time
en | from Friday on | 11-06 00:00 after no_time
en | Thursday before 5pm | 11-05 09:30/11-05 17:00 before open_weekday | 11-12 00:00/11-12 17:00 before open_weekday
en | 3 pm or later | 11-05 15:00 after
en | after lunch | 11-05 13:00 after no_time
en | for two hours | 11-05 09:30/11-05 11:30 duration_only no_time
en | an hour and a half | 11-05 09:30/11-05 11:00 duration_only no_time
en | within 2 hours | 11-05 09:30/11-05 11:30 no_time window
en | within two weeks | 11-05 09:30/11-19 09:30 no_time window
en | the next 3 days | 11-06 00:00/11-09 00:00 no_time window
en | next 2 hours | 11-05 09:30/11-05 11:30 no_time window
en | last two weeks | 10-19 00:00/11-02 00:00 no_time past window
en | next 3 business days | 11-06 00:00/11-11 00:00 no_time window
en | later today | 11-05 09:30/11-06 00:00 no_time window
en | 3pm or 4pm | 11-05 15:00 two_offers | 11-05 16:00 two_offers
en | 3 or 4pm | 11-05 15:00 two_offers | 11-05 16:00 two_offers
en | Tuesday or Wednesday at 3pm | 11-10 15:00 two_offers | 11-11 15:00 two_offers
en | tomorrow at 3pm or 4pm | 11-06 15:00 two_offers | 11-06 16:00 two_offers
en | not Friday | 11-06 00:00/11-07 00:00 negated no_time
en | any day but Friday | 11-06 00:00/11-07 00:00 negated no_time
en | every Monday at 9am | 11-09 09:00 recurring
en | Mondays at 9am | 11-09 09:00
de | von 14 bis 16 Uhr | 11-05 14:00/11-05 16:00
de | morgen von 14 bis 16 Uhr | 11-06 14:00/11-06 16:00
de | zwischen 5 und 6 | 11-05 17:00/11-05 18:00 open_meridiem window
de | vom 5. bis 7. Dezember | 12-05 00:00/12-08 00:00 no_time
de | Freitag 18 Uhr bis 20 Uhr | 11-06 18:00/11-06 20:00
de | bis Freitag | 11-05 09:30/11-07 00:00 before no_time
de | vor 17 Uhr | 11-05 09:30/11-05 17:00 before
de | nach 17 Uhr | 11-05 17:00 after
de | ab 15 Uhr | 11-05 15:00 after
de | für zwei Stunden | 11-05 09:30/11-05 11:30 duration_only no_time
de | anderthalb Stunden | 11-05 09:30/11-05 11:00 duration_only no_time
de | 15 Uhr oder 16 Uhr | 11-05 15:00 two_offers | 11-05 16:00 two_offers
de | nicht Freitag | 11-06 00:00/11-07 00:00 negated no_time
de | jeden Montag um 9 Uhr | 11-09 09:00 recurring
de | montags um 9 Uhr | 11-09 09:00
fr | de 14h à 16h demain | 11-06 14:00/11-06 16:00
fr | entre 5 et 6 | 11-05 17:00/11-05 18:00 open_meridiem window | 11-06 05:00/11-06 06:00 open_meridiem rolled window
fr | du 5 au 7 décembre | 12-05 00:00/12-08 00:00 no_time
fr | avant 17h | 11-05 09:30/11-05 17:00 before
fr | après 17h | 11-05 17:00 after
fr | jusqu'à vendredi | 11-05 09:30/11-07 00:00 before no_time
fr | pendant deux heures | 11-05 09:30/11-05 11:30 duration_only no_time
fr | 15h ou 16h | 11-05 15:00 two_offers | 11-05 16:00 two_offers
fr | pas vendredi | 11-06 00:00/11-07 00:00 negated no_time
fr | tous les lundis à 9h | 11-09 09:00 recurring
es | de 2 a 4 de la tarde | 11-05 14:00/11-05 16:00
es | entre las 5 y las 6 | 11-05 17:00/11-05 18:00 open_meridiem window
es | del 5 al 7 de diciembre | 12-05 00:00/12-08 00:00 no_time
es | antes de las 17 | 11-05 09:30/11-05 17:00 before
es | después de las 17 | 11-05 17:00 after
es | hasta el viernes | 11-05 09:30/11-07 00:00 before no_time
es | durante dos horas | 11-05 09:30/11-05 11:30 duration_only no_time
es | a las 3 o a las 4 de la tarde | 11-05 15:00 two_offers | 11-05 16:00 two_offers
es | no el viernes | 11-06 00:00/11-07 00:00 negated no_time
es | todos los lunes a las 9 | 11-09 09:00 recurring
pt | das 14h às 16h amanhã | 11-06 14:00/11-06 16:00
pt | entre as 5 e as 6 | 11-05 17:00/11-05 18:00 open_meridiem window
pt | de 5 a 7 de dezembro | 12-05 00:00/12-08 00:00 no_time
pt | antes das 17h | 11-05 09:30/11-05 17:00 before
pt | depois das 17h | 11-05 17:00 after
pt | até sexta | 11-05 09:30/11-07 00:00 before no_time
pt | por duas horas | 11-05 09:30/11-05 11:30 duration_only no_time
pt | 15h ou 16h | 11-05 15:00 two_offers | 11-05 16:00 two_offers
pt | não sexta | 11-06 00:00/11-07 00:00 negated no_time
pt | toda segunda às 9h | 11-09 09:00 recurring
"""


@pytest.mark.parametrize(("locale", "hint", "readings"), lines(CASES))
def test_ranges(locale: str, hint: str, readings: list[str]) -> None:
    assert [shown(r) for r in by_rules(hint, locale)][: len(readings) or 1] == readings
