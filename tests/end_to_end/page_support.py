# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page of --trace html in headless Chromium, moved by its driver. Debian: chromium-driver, python3-selenium."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

from kernel_support import cache_with_headers

PROGRAM = os.environ["WARPZ_PROGRAM"]
FOLDER = tempfile.TemporaryDirectory()
CACHE = cache_with_headers(pathlib.Path(FOLDER.name))
DRIVER, BROWSER = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("chromium-browser")


def warpz(*options):
    return subprocess.run([PROGRAM, *map(str, options)], capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, "XDG_CACHE_HOME": str(CACHE)})


# Where esbuild or D3 is missing, warpz is built without the page.
HAS_PAGE = "built without the page" not in warpz("--neighbor", "--trace", "html").stderr
HAS_BROWSER = bool(webdriver and DRIVER and BROWSER)
NO_BROWSER = "chromium, chromium-driver or python3-selenium is not installed"


def start_browser(folder):
    """A browser that keeps its files in this folder."""
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1400,1000",
                 f"--user-data-dir={folder}/profile"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


@unittest.skipUnless(HAS_PAGE and HAS_BROWSER, NO_BROWSER)
class BrowserTest(unittest.TestCase):
    browser = None

    @classmethod
    def setUpClass(cls):
        """One for all classes of a file: it takes seconds to start."""
        if BrowserTest.browser is None:
            BrowserTest.folder = tempfile.TemporaryDirectory()
            BrowserTest.browser = start_browser(BrowserTest.folder.name)
            unittest.addModuleCleanup(BrowserTest.folder.cleanup)
            unittest.addModuleCleanup(BrowserTest.browser.quit)

    def open(self, *options):
        """Opens the page of a run; returns its traces."""
        path, steps = pathlib.Path(self.folder.name, "page.html"), pathlib.Path(self.folder.name, "page.json")
        for each in (path, steps):
            warpz(*options, "--trace", "-o", each)
        self.browser.get_log("performance")
        self.browser.get(path.as_uri())
        WebDriverWait(self.browser, 60).until(lambda _: self.find("where").text)
        self.addCleanup(self.assert_quiet, path)
        return json.loads(steps.read_text())["traces"]

    def assert_quiet(self, path):
        """No error on the console, and no request to anywhere."""
        self.assertEqual(self.browser.get_log("browser"), [])
        sent = [json.loads(each["message"])["message"] for each in self.browser.get_log("performance")]
        asked = {each["params"]["request"]["url"] for each in sent if each["method"] == "Network.requestWillBeSent"}
        # The browser's own pages are not ours, and blobs are the page's.
        asked = {each for each in asked if not each.startswith(("chrome", "data:", "blob:"))}
        self.assertLessEqual(asked, {path.as_uri()})

    def where(self):
        return self.find("where").text

    def find(self, name):
        return self.browser.find_element("id", name)

    def js(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def later(self, run=0):
        return self.js("return [...document.querySelectorAll('.panel')[arguments[0]].querySelectorAll('.lanes .step')]"
                       ".map((each) => each.classList.contains('later'))", run)

    def slide(self, value):
        self.js("const s = document.getElementById('slider'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
                value)
