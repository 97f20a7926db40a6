from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starebrain.device import SavedLocation
from starebrain.errors import InvalidInput
from starebrain.importers import Outcome
from tests.importers.files import imported, said

CAFE = ("Café Ash", "7 Elm St, Berlin", (52.5, 13.4))


def shown(places: tuple[SavedLocation, ...]) -> list[tuple[str, str, tuple[float, float] | None]]:
    return [(one.label, one.address, one.coordinates) for one in places]


def feature(properties: dict[str, Any], coordinates: Any = (13.4, 52.5), kind: str = "Point") -> dict[str, Any]:
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}


def geojson(*features: Any) -> str:
    return json.dumps({"type": "FeatureCollection", "features": features}, indent=1)


OLD = {
    "Title": "Café Ash",
    "Location": {"Address": "7 Elm St\nBerlin", "Geo Coordinates": {"Latitude": "1.5", "Longitude": "2.5"}},
    "Google Maps URL": "http://maps.google.com/?cid=1",
}
NEW = {
    "location": {"name": "Café Ash", "address": "7 Elm St, Berlin", "country_code": "DE"},
    "google_maps_url": "http://maps.google.com/?cid=1",
}


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (feature(OLD), CAFE),
        (feature(NEW), CAFE),
        (feature({"name": "Café Ash", "address": "7 Elm St, Berlin"}), CAFE),
        ({"properties": OLD}, ("Café Ash", "7 Elm St, Berlin", (1.5, 2.5))),
        ({"properties": {"Title": "A"}}, ("A", "", None)),
        (
            feature({"google_maps_url": "http://maps.google.com/?q=1.5,-2.5", "name": "Pin"}, None),
            ("Pin", "", (1.5, -2.5)),
        ),
        (feature({"name": "A"}, [13.4, 52.5, 30]), ("A", "", (52.5, 13.4))),
    ],
)
def test_a_takeout_feature_old_or_new_is_a_place(tmp_path: Path, content: dict[str, Any], place: Any) -> None:
    device, report = imported(tmp_path, "places", "a.json", geojson(content))
    assert shown(device.saved_locations) == [place]
    assert said(report) == []
    assert device.saved_locations[0].location_id == "a.json#1"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            feature(NEW, [0, 0]),
            "doubted: line 4: place “Café Ash”: lies at 0,0: no place known; read without coordinates",
        ),
        (feature(NEW, [0.0, -0.0]), "doubted: line 4: place “Café Ash”: lies at 0,0"),
        (feature(NEW, [200, 1]), "doubted: line 4: place “Café Ash”: has the coordinates “1, 200”"),
        (feature(NEW, ["x", "y"]), "doubted: line 4: place “Café Ash”: has the coordinates “'y', 'x'”"),
        (feature(NEW, [float("nan"), 1]), "doubted: line 4: place “Café Ash”: has the coordinates “1, nan”"),
        (
            feature(NEW, [[1, 2]], "Polygon"),
            "doubted: line 4: place “Café Ash”: has the coordinates “'of a Polygon', ''”",
        ),
    ],
)
def test_coordinates_that_are_none_are_doubted_and_left_out(tmp_path: Path, content: Any, says: str) -> None:
    device, report = imported(tmp_path, "places", "a.json", geojson(content))
    assert [one.coordinates for one in device.saved_locations] == [None]
    assert said(report)[0].startswith(says)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (feature({}, None), "dropped: line 4: place: has neither a name, an address nor coordinates"),
        (feature({}, [0, 0]), "dropped: line 4: place: has neither a name, an address nor coordinates"),
        ("nothing", "dropped: line 4: feature: is no JSON object"),
        ({}, "dropped: line 4: place: has neither a name, an address nor coordinates"),
    ],
)
def test_a_feature_that_is_no_place_is_dropped_and_stops_nothing(tmp_path: Path, content: Any, says: str) -> None:
    device, report = imported(tmp_path, "places", "a.json", geojson(content, feature(NEW)))
    assert shown(device.saved_locations) == [CAFE]
    assert says in said(report)
    assert device.saved_locations[0].location_id == "a.json#2"


def test_a_place_without_a_name_keeps_its_coordinates(tmp_path: Path) -> None:
    device, report = imported(tmp_path, "places", "a.json", geojson(feature({})))
    assert shown(device.saved_locations) == [("", "", (52.5, 13.4))]
    assert said(report) == ["doubted: line 4: place: has neither a name nor an address; only its coordinates were kept"]


def test_half_characters_that_json_can_write_are_replaced(tmp_path: Path) -> None:
    device, _ = imported(tmp_path, "places", "a.json", '{"features": [{"properties": {"name": "a\\ud800b"}}]}')
    assert device.saved_locations[0].label == "a?b"


def test_lines_of_features_are_those_of_the_file(tmp_path: Path) -> None:
    content = '{"features": [\n{"properties": {"name": "A"}},\n\n\n{"properties": 1}, {"properties": 2}\n]}'
    assert [finding.line for finding in imported(tmp_path, "places", "a.json", content)[1].findings] == [5, 5]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (geojson(feature(NEW), feature(NEW))[:-250], "ends in the middle of it; what was whole before was read"),
        (geojson(feature(NEW)) + "x", "is no JSON: it goes on after its end"),
        ('{"features": [{"properties": {"name": "A"}}, {"properties": oops}]}', "is no JSON: Expecting value"),
        ('{"features": [{"properties": {"name": "A"}}, ' + "[" * 100_000, "numbers or brackets do not end"),
        ('{"features": [{"properties": {"name": "A"}}, ' + "1" * 5_000 + "]}", "numbers or brackets do not end"),
    ],
)
def test_damaged_json_gives_what_is_whole_before(tmp_path: Path, content: str, says: str) -> None:
    device, report = imported(tmp_path, "places", "a.json", content)
    assert len(device.saved_locations) == 1
    truncated = [finding.reason for finding in report.findings if finding.outcome is Outcome.TRUNCATED]
    assert len(truncated) == 1
    assert says in truncated[0]


@pytest.mark.parametrize(
    "content", ['{"features": [', '{"features": [{"properties": {"na', '{"type": "FeatureCollection"']
)
def test_json_cut_off_before_the_first_place_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InvalidInput, match="before any place was complete"):
        imported(tmp_path, "places", "a.json", content)


@pytest.mark.parametrize(
    ("content", "places"),
    [
        ("Title,Note,URL,Comment\r\nGym,,http://x,\r\n", [("Gym", "", None)]),
        ("My list\r\nabout it\r\n\r\nTitle,Note,URL,Tags,Comment\r\n,,,,\r\nGym,,http://x,,\r\n", [("Gym", "", None)]),
        ('Title,URL\n"A ""B""\nC",u\n', [('A "B", C', "", None)]),
        ("Titel;Notiz;URL\nTurnhalle;x;u\n", [("Turnhalle", "", None)]),
        ("name,address,lat,lon\nGym,7 Elm St,1.5,2.5\n", [("Gym", "7 Elm St", (1.5, 2.5))]),
        ("Title,URL\nDropped pin,https://www.google.com/maps/search/1.5,-2.5\n", [("Dropped pin", "", None)]),
        ('Title,URL\nPin,"https://www.google.com/maps/search/1.5,-2.5"\n', [("Pin", "", (1.5, -2.5))]),
        (",URL,Title\n,u,Gym,more\n", [("Gym", "", None)]),
    ],
)
def test_a_list_of_places_is_read(tmp_path: Path, content: str, places: list[Any]) -> None:
    assert shown(imported(tmp_path, "places", "a.csv", content)[0].saved_locations) == places


def test_a_row_without_a_title_is_named_after_its_address_on_the_web(tmp_path: Path) -> None:
    content = "Title,URL\n,https://www.google.com/maps/place/Caf%C3%A9+Ash/data=1\n,http://x\n"
    device, report = imported(tmp_path, "places", "a.csv", content)
    assert shown(device.saved_locations) == [("Café Ash", "", None)]
    assert said(report) == [
        "doubted: line 2: place “Café Ash”: has no title; named after its web address",
        "dropped: line 3: place: has neither a name, an address nor coordinates",
    ]


def test_rows_that_are_no_csv_are_named_and_stop_nothing(tmp_path: Path) -> None:
    device, report = imported(tmp_path, "places", "a.csv", 'Title,URL\n"a" b,u\nGym,u\n"open,u\n')
    assert shown(device.saved_locations) == [("Gym", "", None)]
    assert [(finding.line, finding.outcome, finding.entry) for finding in report.findings] == [
        (2, Outcome.DROPPED, True),
        (4, Outcome.TRUNCATED, True),
    ]


KML = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Mine</name>
<Folder><name>Inner</name>
<Placemark><name>Café Ash</name><address>7 Elm St, Berlin</address>
<Point><coordinates>13.4,52.5,0</coordinates></Point></Placemark></Folder>
{more}</Document></kml>"""


@pytest.mark.parametrize(
    ("more", "place", "says"),
    [
        ("<Placemark><name><![CDATA[A & B]]></name></Placemark>", ("A & B", "", None), []),
        (
            "<Placemark><name>A</name><MultiGeometry><Point><coordinates> 2 , 1 </coordinates></Point>"
            "</MultiGeometry></Placemark>",
            ("A", "", (1.0, 2.0)),
            [],
        ),
        (
            "<Placemark><name>A</name><Point><coordinates>x,y</coordinates></Point></Placemark>",
            ("A", "", None),
            ["doubted: line 6: place “A”: has the coordinates “'y', 'x'”: no place known; read without coordinates"],
        ),
        (
            "<NetworkLink><href>http://x</href></NetworkLink>",
            None,
            ["dropped: line 6: NetworkLink: names places that are elsewhere; nothing is fetched"],
        ),
        ("<gx:Track>1</gx:Track>", None, []),
    ],
)
def test_placemarks_are_places_in_whatever_folder(tmp_path: Path, more: str, place: Any, says: list[str]) -> None:
    device, report = imported(tmp_path, "places", "a.kml", KML.format(more=more))
    assert shown(device.saved_locations) == [CAFE, *([place] if place else [])]
    assert said(report) == says


def test_a_kmz_is_read_as_the_kml_in_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "b.kmz", "w") as archive:
        archive.writestr("doc.kml", KML.format(more=""))
    content = (tmp_path / "b.kmz").read_bytes()
    assert shown(imported(tmp_path, "places", "a.kmz", content)[0].saved_locations) == [CAFE]
    with pytest.raises(InvalidInput, match="the archive cannot be unpacked"):
        imported(tmp_path, "places", "a.kmz", content[:-30])
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(InvalidInput, match=r"the archive has no \.kml file in it"):
        imported(tmp_path, "places", "a.kmz", (tmp_path / "c.zip").read_bytes())


GPX = '<gpx version="1.1"><wpt lat="52.5" lon="13.4"><name>Gym</name><ele>3</ele></wpt>\n{more}</gpx>'


@pytest.mark.parametrize(
    ("more", "place", "says"),
    [
        ('<wpt lat="x" lon="1"><name>A</name></wpt>', ("A", "", None), "has the coordinates “'x', '1'”"),
        ('<wpt lat="0" lon="0"><name>A</name></wpt>', ("A", "", None), "lies at 0,0"),
        ("<wpt><name>A</name></wpt>", ("A", "", None), "has the coordinates “'', ''”"),
        ('<wpt lat="1" lon="2"></wpt>', ("", "", (1.0, 2.0)), "has neither a name nor an address"),
    ],
)
def test_waypoints_are_places_and_a_bad_one_stops_nothing(tmp_path: Path, more: str, place: Any, says: str) -> None:
    content = GPX.format(more=more + "<trk><trkseg/></trk>")
    device, report = imported(tmp_path, "places", "a.gpx", content)
    assert shown(device.saved_locations) == [("Gym", "", (52.5, 13.4)), place]
    (finding,) = report.findings
    assert (finding.line, finding.outcome) == (2, Outcome.DOUBTED)
    assert finding.reason.startswith(says)
    assert report.files[0].unused == {"ele": (1,), "trk": (2,)}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (KML.format(more="<Placemark><name>A")[:-16], "truncated: line 6: Placemark: the file ends or is damaged"),
        (KML.format(more="</Folder>"), "truncated: line 6: the file: is no XML from here on"),
        (GPX.format(more="&bad;"), "truncated: line 2: the file: is no XML from here on"),
        (GPX.format(more="")[:-6], "truncated: line 2: the file: ends too early; what was whole before was read"),
    ],
)
def test_damaged_xml_gives_what_is_whole_before(tmp_path: Path, content: str, says: str) -> None:
    device, report = imported(tmp_path, "places", "a.xml", content)
    assert len(device.saved_locations) == 1
    assert said(report)[0].startswith(says)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('<!DOCTYPE gpx [<!ENTITY a "aaaa">]>' + GPX.format(more=""), "has a document type declaration"),
        ("<kml>" + "<Folder>" * 300, "elements nest deeper than 200"),
        ("<kml><Placemark>", "before any place was complete"),
        ('<?xml version="1.0" encoding="x-none"?><kml></kml>', "unknown encoding"),
        ("<gpx", "of no kind that --places reads"),
    ],
)
def test_xml_that_is_dangerous_or_holds_nothing_whole_is_refused(tmp_path: Path, content: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        imported(tmp_path, "places", "a.xml", content)


labels = (
    st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1)
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
)


@given(st.lists(st.tuples(labels, st.floats(-90, 90), st.floats(-180, 180)), min_size=1, max_size=5))
def test_places_written_as_geojson_come_in_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, written: list[tuple[str, float, float]]
) -> None:
    content = geojson(*(feature({"name": label}, [lon, lat]) for label, lat, lon in written))
    got = imported(tmp_path_factory.mktemp("places"), "places", "a.json", content)[0].saved_locations
    assert shown(got) == [(label, "", None if lat == lon == 0 else (lat, lon)) for label, lat, lon in written]
