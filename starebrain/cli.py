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


class Group(click.Group):
    """Commands whose `StarebrainError` or `OSError` (a full disk) becomes one line on standard error and status 2."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except StarebrainError as error:
            click.echo(f"starebrain: {error}", err=True)
            ctx.exit(2)
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader has seen enough: click ends quietly
                raise
            click.echo(f"starebrain: {printable(str(error))}", err=True)
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
    answers = [build_agent_context(intent, device, resolver) for intent in intents]
    if as_json:
        click.echo("".join(formats.resolution_json(a.resolution) + "\n" for a in answers), nl=False)
        return
    from starebrain.explain import table

    for answer in answers:
        click.echo(table(answer))


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
