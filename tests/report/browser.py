"""A headless Chromium without network, and what a page did in it."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websocket

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
)


@dataclass
class Seen:
    """What a page asked for, what the browser complained of, and the result of an expression in the page."""

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    result: Any = None


@contextmanager
def chromium(profile: Path) -> Iterator[str]:
    """A running browser with the empty folder `profile`; gives the address of its debugging socket."""
    assert CHROMIUM is not None
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port = profile / "DevToolsActivePort"
        until = time.monotonic() + 30
        while not (port.exists() and len(port.read_text().splitlines()) == 2):
            assert running.poll() is None, "Chromium does not start"
            assert time.monotonic() < until, "Chromium does not start"
            time.sleep(0.05)
        number, path = port.read_text().splitlines()
        yield f"ws://127.0.0.1:{number}{path}"
    finally:
        running.terminate()
        running.wait(20)


class Tab:
    """One tab, spoken to over the debugging protocol."""

    def __init__(self, address: str) -> None:
        self.socket = websocket.create_connection(address, timeout=30)
        self.number = 0
        self.session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command; events that come before it are kept."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        self.socket.send(json.dumps(command | ({"sessionId": self.session} if self.session else {})))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def wait_for(self, method: str) -> None:
        """Return when an event has come."""
        while not any(event.get("method") == method for event in self.events):
            self.events.append(json.loads(self.socket.recv()))


def visit(address: str, page: str, expression: str) -> Seen:
    """Open `page` in a tab without network, evaluate `expression` in it, and say what happened."""
    tab = Tab(address)
    for domain in ("Page", "Network", "Log", "Runtime"):
        tab.ask(f"{domain}.enable")
    tab.ask("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
    tab.events.clear()
    tab.ask("Page.navigate", url=page)
    tab.wait_for("Page.loadEventFired")
    time.sleep(0.2)
    result = tab.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")
    seen = Seen(result=result)
    for event in tab.events:
        match event.get("method"):
            case "Network.requestWillBeSent":
                seen.requests.append(event["params"]["request"]["url"])
            case (
                "Log.entryAdded"
                | "Runtime.exceptionThrown"
                | "Runtime.consoleAPICalled"
                | "Page.javascriptDialogOpening"
            ):
                seen.complaints.append(json.dumps(event["params"]))
    tab.socket.close()
    return seen
