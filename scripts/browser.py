# A page of Chromium, by the DevTools protocol, for the checks of pages. `open_page` ends the program where Chromium or the packages
# of Python are missing, because those checks are then skipped.
import contextlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ERRAND = os.path.join(ROOT, ".build", "debug", "errand")
PYTHON = os.path.join(ROOT, ".build-python", "bin", "python")
KEYS = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Page:
    def __init__(self, socket):
        self.socket = socket
        self.numbers = itertools.count(1)

    def call(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=30))
            if message.get("id") == number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return result["result"].get("value")

    def wait(self, expression):
        for _ in range(600):
            if self.value(expression):
                return
            time.sleep(0.05)
        sys.exit(f"this did not become true: {expression}\n{self.value('document.body.innerText')}")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            text = "\r" if key == "Enter" and kind == "keyDown" else ""
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key], text=text)

    def focus(self, identity):
        for _ in range(80):
            self.press("Tab")
            if self.value("document.activeElement.id") == identity:
                return
        sys.exit(f"Tab does not reach `{identity}`")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme, media=""):
        self.call(
            "Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])


# Starts the program again with the packages of `scripts/install-python-tools`, and builds the tool.
def prepare(what):
    browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
    if browser is None:
        print(f"There is no Chromium, so {what} is not checked.")
        sys.exit(0)
    if not os.environ.get("ERRAND_CHECK_PYTHON"):
        subprocess.run([os.path.join(ROOT, "scripts", "install-python-tools")], check=True)
        if not os.access(PYTHON, os.X_OK):
            print(f"There are no packages of Python, so {what} is not checked.")
            sys.exit(0)
        subprocess.run(["swift", "build", "--quiet", "--product", "errand"], cwd=ROOT, check=True)
        os.execve(PYTHON, [PYTHON, *sys.argv], dict(os.environ, ERRAND_CHECK_PYTHON="1"))
    return browser


@contextlib.contextmanager
def open_page(browser):
    from websockets.sync.client import connect

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        program = subprocess.Popen(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
             "--user-data-dir=" + folder, "about:blank"], stderr=subprocess.PIPE, text=True)
        try:
            port = next(found[1] for line in program.stderr if (found := re.search(r"listening on ws://[^:]+:(\d+)", line)))
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as response:
                target = next(target for target in json.load(response) if target["type"] == "page")
            with connect(target["webSocketDebuggerUrl"], max_size=None) as socket:
                yield Page(socket)
        finally:
            program.kill()
            program.wait()
