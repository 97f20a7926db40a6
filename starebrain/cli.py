"""The command line: parse, call, print. Each command imports what it uses, so that `--help` stays quick."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import click

from starebrain import __version__
from starebrain.errors import InvalidInput, StarebrainError, printable

PATH = click.Path(path_type=Path)
KIND_NAMES = ("contact", "location", "time_slot", "calendar", "app")
SPLITS = ("train", "calibration", "test")
CUTS = ("kind", "family", "locale", "script")


class Group(click.Group):
    """Commands whose `StarebrainError` or `OSError` (a full disk) becomes one line on standard error and status 2."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except StarebrainError as error:
            click.echo(f"starebrain: {error}", err=True)
            ctx.exit(2)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("starebrain"):
                raise
            click.echo(f"starebrain: {error.name} is not installed. pip install 'starebrain[workbench]'", err=True)
            ctx.exit(2)
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader has seen enough: click ends quietly
                raise
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"starebrain: {printable(f'{where}{error.strerror or error}')}", err=True)
            ctx.exit(2)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="starebrain")
def main() -> None:
    """Resolve an assistant's parameters against a phone, and measure whether the resolver can be trusted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


@main.command()
@click.argument("name", type=click.Choice(["device", "intent", "resolution"]))
def schema(name: str) -> None:
    """Print the JSON Schema of a public format."""
    import json

    from starebrain import formats

    click.echo(json.dumps(formats.schema(name), indent=1))


class ManyFiles(click.Command):
    """A command without arguments whose repeatable options take all file names behind them: ``--contacts *.vcf``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write ``--contacts a b`` as ``--contacts a --contacts b``."""
        many = {name for option in self.params if option.multiple for name in option.opts}
        spread: list[str] = []
        for arg in args:
            follows = spread[-2] if len(spread) > 1 and not arg.startswith("-") else ""
            spread += [follows, arg] if follows in many and not spread[-1].startswith("-") else [arg]
        return super().parse_args(ctx, spread)


@main.command("import", cls=ManyFiles)
@click.option("--contacts", type=PATH, multiple=True, help="vCard files (.vcf).")
@click.option("--calendar", type=PATH, multiple=True, help="iCalendar files (.ics).")
@click.option("--places", type=PATH, multiple=True, help="Saved places: Takeout GeoJSON or CSV, KML, KMZ, GPX.")
@click.option("--android", type=PATH, help="A dump by adb: `python -m pydoc starebrain.importers.dump` says how.")
@click.option("--timezone", required=True, help="The phone's zone, such as Europe/Berlin.")
@click.option("--locale", required=True, help="The phone's locale, such as de_DE.")
@click.option("--owner-name", default="", help="The phone's user.")
@click.option("--owner-email", "owner_emails", multiple=True, help="Their addresses, to tell their answers by.")
@click.option("--at", help="When the snapshot is taken (2026-11-05T09:00:00-05:00); now by default.")
@click.option("--days", default=60, show_default=True, help="Days of events from then on.")
@click.option("--default-calendar", help="Name or id of the phone's default calendar, which no calendar file tells.")
@click.option("--out", type=PATH, required=True, help="The device.json to write.")
@click.option("--report", "report_path", type=PATH, help="Where to write the import report as JSON.")
def import_(
    contacts: tuple[Path, ...],
    calendar: tuple[Path, ...],
    places: tuple[Path, ...],
    android: Path | None,
    timezone: str,
    locale: str,
    owner_name: str,
    owner_emails: tuple[str, ...],
    at: str | None,
    days: int,
    default_calendar: str | None,
    out: Path,
    report_path: Path | None,
) -> None:
    """Make a device.json of a phone's own files, and say what became of every line of them.

    An option takes all the files behind it, and may be repeated. The same files give the same device.json where --at
    is given. A file that is of no use ends the import with status 2, and nothing is written.

    \b
    starebrain import --contacts *.vcf --calendar home.ics work.ics --places "Saved Places.json" \\
        --timezone Europe/Berlin --locale de_DE --at 2026-11-05T09:00:00+01:00 --out device.json
    """
    from starebrain import importers
    from starebrain.device import Owner
    from starebrain.formats import write_device

    inputs = [*contacts, *calendar, *places, *([android] if android else [])]
    importers.check_outputs(inputs, [path for path in (report_path, out) if path])
    device, report = importers.import_phone(
        contacts=contacts,
        calendar=calendar,
        places=places,
        android=android,
        timezone=timezone,
        locale=importers.parse_locale(locale),
        owner=Owner(owner_name, owner_emails),
        at=importers.parse_at(at, timezone),
        days=days,
        default_calendar=default_calendar,
    )
    if report_path is not None:
        importers.write_report(report, report_path)
    write_device(device, out)
    click.echo(str(report))
    for finding in report.findings:
        if finding.outcome is importers.Outcome.TRUNCATED:
            click.echo(f"starebrain: {printable(finding.file)}: {finding}", err=True)


@main.command()
@click.argument("hint", required=False)
@click.option("--kind", type=click.Choice(KIND_NAMES), help="What HINT may mean.")
@click.option("--device", "device_path", type=PATH, required=True, help="The phone: a device.json.")
@click.option("--intents", "intents_path", type=PATH, help="What was asked: an intents.jsonl, in place of HINT.")
@click.option("--action", default="create_event", show_default=True, help="The action that HINT belongs to.")
@click.option("--resolver", "resolver_name", default="evidence", show_default=True, help="Which resolver answers.")
@click.option("--heuristics", "layers", type=PATH, multiple=True, help="A TOML file laid over the default heuristics.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line an intent.")
def resolve(
    hint: str | None,
    kind: str | None,
    device_path: Path,
    intents_path: Path | None,
    action: str,
    resolver_name: str,
    layers: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Resolve a HINT, or the parameters of --intents, against a phone.

    \b
    starebrain resolve "mom" --kind contact --device device.json
    starebrain resolve --device device.json --intents intents.jsonl --json
    """
    from starebrain import formats
    from starebrain.agent import build_agent_context
    from starebrain.intent import ActionIntent, Parameter, ParameterKind
    from starebrain.matching.kernels import on_disk
    from starebrain.resolve import resolver_named

    if (hint is None) == (intents_path is None) or (hint is not None) != (kind is not None):
        raise InvalidInput("give either HINT with --kind, or --intents", place="resolve")
    resolver = resolver_named(resolver_name, layers)
    device = formats.read_device(device_path)
    if intents_path is not None:
        intents = formats.read_intents(intents_path)
    else:
        assert kind is not None
        intents = (ActionIntent("1", action, hint, (Parameter(kind, ParameterKind(kind), hint),)),)
    if not on_disk():
        click.echo("Making the machine code that compares names: ten seconds, once.", err=True)
    answers = [build_agent_context(intent, device, resolver) for intent in intents]
    if as_json:
        click.echo("".join(formats.resolution_json(a.resolution) + "\n" for a in answers), nl=False)
        return
    from starebrain.explain import table, waterfall

    heuristics = getattr(resolver, "heuristics", None)
    for answer in answers:
        click.echo(table(answer) if heuristics is None or hint is None else waterfall(answer, heuristics))


@main.command()
@click.argument("scenario", type=PATH)
@click.option("--out", type=PATH, required=True, help="The folder of the dataset.")
@click.option("--force", is_flag=True, help="Replace a dataset that is there already.")
def simulate(scenario: Path, out: Path, force: bool) -> None:
    """Write the labelled dataset that a SCENARIO (TOML) describes.

    \b
    starebrain simulate datasets/scenarios/quick.toml --out datasets/quick
    """
    from starebrain.simulate import read_scenario
    from starebrain.simulate import simulate as write

    asked = read_scenario(scenario)
    with click.progressbar(length=asked.devices, label=asked.name, file=sys.stderr) as bar:
        manifest = write(asked, out, force=force, progress=lambda done: bar.update(done - bar.pos))
    counts = ", ".join(f"{count} {split}" for split, count in manifest.counts.items())
    click.echo(f"{out}: {asked.devices} phones ({counts}), {manifest.tables['parameters'].rows} parameters")


@main.command()
@click.option("--out", type=PATH, required=True, help="The folder of the report; it is replaced at the end.")
@click.option("--profile", "profile_name", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--dataset", type=PATH, help="A dataset, or a scenario (.toml), in place of the profile's.")
@click.option("--against", type=PATH, help="A report to compare with; where a figure is worse, the status is 1.")
@click.option("--notebooks", type=PATH, help="The folder of notebooks, where the package is not run from its source.")
@click.option("--jobs", type=click.IntRange(1, 64), default=2, show_default=True, help="Notebooks run at a time.")
def report(
    out: Path, profile_name: str, dataset: Path | None, against: Path | None, notebooks: Path | None, jobs: int
) -> None:
    """Run the notebooks and write pages that open without network, with their figures as data.

    \b
    starebrain report --out reports/latest
    starebrain report --out reports/latest --against reports/reference
    """
    import signal
    from dataclasses import replace

    from starebrain.report.build import build
    from starebrain.report.check import summary
    from starebrain.report.profiles import PROFILES
    from starebrain.report.progress import progress

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what is half done is cleared away
    profile = PROFILES[profile_name]
    if dataset is not None:
        profile = replace(profile, dataset=str(dataset.resolve()))
    with progress(sys.stderr) as tell:
        made = build(out, profile, notebooks=notebooks, against=against, jobs=jobs, tell=tell)
    if made.comparison is not None:
        click.echo(summary(made.comparison))
    click.echo(f"The report is at {made.index}")
    if made.comparison is not None and not made.comparison.passed:
        sys.exit(1)


@main.command()
@click.argument("name", metavar="DATASET_OR_BENCHMARK")
@click.option("--resolver", "resolver_names", multiple=True, help="A resolver to measure; may be repeated.")
@click.option("--heuristics", "layers", type=PATH, multiple=True, help="A TOML file laid over the default heuristics.")
@click.option("--split", type=click.Choice(SPLITS), help="Only this split.")
@click.option("--by", multiple=True, type=click.Choice(CUTS), help="Show figures by this as well; may be repeated.")
@click.option("--out", type=PATH, help="A folder for every answer, the figures and their provenance.")
def evaluate(
    name: str,
    resolver_names: tuple[str, ...],
    layers: tuple[Path, ...],
    split: str | None,
    by: tuple[str, ...],
    out: Path | None,
) -> None:
    """Measure resolvers on a dataset or a benchmark, and compare the first of them with the others.

    \b
    starebrain evaluate datasets/quick --resolver article --resolver evidence --by family
    starebrain evaluate slurp_person_removed --out out/slurp
    """
    from starebrain.evaluate.command import measure

    for text in measure([name], resolver_names, layers, split, by, out):
        click.echo(text)


@main.command()
@click.argument("names", nargs=-1, required=True, metavar="DATASET_OR_BENCHMARK...")
@click.option("--certify", "certify", multiple=True, help="Certify on this; the first that is learned from by default.")
@click.option("--heuristics", "layers", type=PATH, multiple=True, help="Start from the default with these over it.")
@click.option("--alpha", default=0.005, show_default=True, help="Most silent errors among HIGHs, as a share.")
@click.option("--delta", default=0.05, show_default=True, help="Chance that more may pass.")
@click.option("--out", type=PATH, required=True, help="The heuristics to write, as TOML.")
def fit(
    names: tuple[str, ...],
    certify: tuple[str, ...],
    layers: tuple[Path, ...],
    alpha: float,
    delta: float,
    out: Path,
) -> None:
    """Learn weights and calibration on train splits, certify the thresholds of HIGH on calibration splits.

    \b
    starebrain fit datasets/quick slurp_person ancestry --out heuristics.toml
    starebrain resolve "mom" --kind contact --device device.json --heuristics heuristics.toml
    """
    from starebrain import formats
    from starebrain.evaluate.sources import open_source
    from starebrain.fit import fit as learn
    from starebrain.fit import guarantees_text
    from starebrain.fit.toml import to_toml
    from starebrain.matching.heuristics import read_heuristics

    if not (0 < alpha < 1 and 0 < delta < 1):
        raise InvalidInput("alpha and delta lie between 0 and 1", place="fit")
    sources = [open_source(name).source for name in names]
    certified_on = [open_source(name).source for name in certify or names[:1]]
    source = f"starebrain fit {' '.join(names)}"
    learnt = learn(
        sources, read_heuristics(*layers), certified_on=certified_on, source=source, alpha=alpha, delta=delta
    )
    formats.write_text(out, to_toml(learnt.heuristics))
    click.echo(guarantees_text(learnt))


@main.group()
def benchmark() -> None:
    """Public data by others, in the folder that STAREBRAIN_BENCHMARKS names."""


@benchmark.command("list")
def benchmark_list() -> None:
    """Print which benchmarks there are, where they can be had, and whether they are here."""
    from starebrain.benchmarks import BENCHMARKS
    from starebrain.benchmarks.about import listed

    click.echo(listed(BENCHMARKS))


@benchmark.command("show")
@click.argument("name")
def benchmark_show(name: str) -> None:
    """Print what the benchmark NAME is, its checksums, and some of its hints."""
    from starebrain.benchmarks import benchmark_named
    from starebrain.benchmarks.about import described

    click.echo(described(benchmark_named(name)))


@benchmark.command("run")
@click.argument("name")
@click.option("--resolver", "resolver_names", multiple=True, help="A resolver to measure; may be repeated.")
@click.option("--heuristics", "layers", type=PATH, multiple=True, help="A TOML file laid over the default heuristics.")
@click.option("--split", type=click.Choice(SPLITS), help="Only this split.")
@click.option("--by", multiple=True, type=click.Choice(CUTS), help="Show figures by this as well; may be repeated.")
@click.option("--out", type=PATH, help="A folder for every answer, the figures and their provenance.")
def benchmark_run(
    name: str,
    resolver_names: tuple[str, ...],
    layers: tuple[Path, ...],
    split: str | None,
    by: tuple[str, ...],
    out: Path | None,
) -> None:
    """Measure resolvers on the benchmark NAME as it is, and with the right answer removed from every phone."""
    from starebrain.benchmarks import benchmark_named
    from starebrain.evaluate.command import measure

    for text in measure(list(benchmark_named(name).variants), resolver_names, layers, split, by, out):
        click.echo(text)


MEMORY = click.option(
    "--file",
    "path",
    type=PATH,
    envvar="STAREBRAIN_MEMORY",
    help="The memory; STAREBRAIN_MEMORY, or memory.sqlite among the user's data, by default.",
)


@main.group()
def memory() -> None:
    """Show, forget or export what session memory has stored."""


@memory.command("show")
@MEMORY
def memory_show(path: Path | None) -> None:
    """Show everything that is stored.

    A line an intent type, and below it the apps that carried its tasks, each with its weight. Tasks, and those whose
    confirmation was approved, edited or declined, are counts that fade with age, so they are not whole; steps are the
    mean of a task. Confirmed and skipped are counts of steps, which the rule of the article keeps instead. May skip:
    whether confirmations may be left out where no cap holds a parameter. A pattern that has not been seen for 30 days
    is deleted.
    """
    from datetime import UTC, datetime

    from starebrain.memory import shown

    now = datetime.now(UTC)
    stored = shown.stored(path or shown.default_path(), now, _told)
    click.echo(shown.memory_table(stored, now))


@memory.command("forget")
@MEMORY
@click.option("--type", "name", help="The intent type to forget; all of them by default.")
def memory_forget(path: Path | None, name: str | None) -> None:
    """Forget what is stored, so that no trace of it stays in the file."""
    from starebrain.memory import shown
    from starebrain.recall import IntentType

    if name is not None and name not in IntentType:
        remedy = f"Choose one of {', '.join(IntentType)}."
        raise InvalidInput(f"there is no intent type {name!r}", place="--type", remedy=remedy)
    gone = shown.forget(path or shown.default_path(), None if name is None else IntentType(name), _told)
    click.echo(f"Forgot {', '.join(gone)}." if gone else "There was nothing to forget.")


@memory.command("export")
@MEMORY
@click.option("--out", type=PATH, help="The file to write; standard output by default.")
def memory_export(path: Path | None, out: Path | None) -> None:
    """Print everything that is stored as JSON."""
    from datetime import UTC, datetime

    from starebrain.formats import write_text
    from starebrain.memory import shown

    text = shown.memory_json(shown.stored(path or shown.default_path(), datetime.now(UTC), _told)) + "\n"
    if out is None:
        click.echo(text, nl=False)
    else:
        write_text(out, text)


def _told(message: str) -> None:
    """Say on standard error what happened to a file."""
    click.echo(f"starebrain: {printable(message)}", err=True)
