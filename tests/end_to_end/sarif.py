# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What SARIF 2.1.0 asks of the parts that warpz writes, and what code hosts ask beyond it; written by hand after the
standard's text (OASIS, sections 3.13 to 3.58)."""

LEVELS = ("none", "note", "warning", "error")
KINDS = ("notApplicable", "pass", "fail", "review", "open", "informational")
STRING = str
WHOLE = int

# For each object: its members, whether each has to be there (some that only code hosts ask for), and what it is. A name
# in quotes is another object here, a list with one element an array of such, a tuple the values that there are.
SHAPES = {
    "log": {"$schema": (False, STRING), "version": (True, ("2.1.0",)), "runs": (True, ["run"])},
    "run": {"tool": (True, "tool"), "invocations": (False, ["invocation"]), "results": (True, ["result"]),
            "columnKind": (False, ("utf16CodeUnits", "unicodeCodePoints"))},
    "tool": {"driver": (True, "driver")},
    "driver": {"name": (True, STRING), "semanticVersion": (False, STRING), "rules": (True, ["rule"])},
    "rule": {"id": (True, STRING), "name": (False, STRING), "shortDescription": (False, "message"),
             "fullDescription": (False, "message"), "help": (False, "message"),
             "defaultConfiguration": (False, "configuration")},
    "configuration": {"level": (False, LEVELS)},
    "message": {"text": (True, STRING), "markdown": (False, STRING)},
    "invocation": {"executionSuccessful": (True, bool), "exitCode": (False, WHOLE),
                   "toolExecutionNotifications": (False, ["notification"])},
    "notification": {"level": (False, LEVELS), "message": (True, "message")},
    "result": {"ruleId": (True, STRING), "ruleIndex": (True, WHOLE), "message": (True, "message"),
               "kind": (True, KINDS), "level": (True, LEVELS), "locations": (False, ["location"]),
               "relatedLocations": (False, ["location"]), "occurrenceCount": (False, WHOLE),
               "partialFingerprints": (True, dict), "suppressions": (False, ["suppression"]),
               "properties": (False, dict)},
    "location": {"id": (False, WHOLE), "physicalLocation": (False, "physical"), "message": (False, "message"),
                 "logicalLocations": (False, ["logical"])},
    "logical": {"name": (False, STRING), "kind": (False, STRING)},
    "physical": {"artifactLocation": (True, "artifact"), "region": (False, "region")},
    "artifact": {"uri": (True, STRING)},
    "region": {"startLine": (True, WHOLE)},
    "suppression": {"kind": (True, ("inSource", "external")),
                    "status": (False, ("accepted", "underReview", "rejected")), "justification": (False, STRING)},
}


def violations(value, shape="log", where="$"):
    """What is wrong, one text each; a member that is not named here is wrong, too."""
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{where} is no array"]
        return [each for i, one in enumerate(value) for each in violations(one, shape[0], f"{where}[{i}]")]
    if isinstance(shape, tuple):
        return [] if value in shape else [f"{where} is {value!r}"]
    if isinstance(shape, type):
        fits = isinstance(value, shape) and not (shape is WHOLE and isinstance(value, bool))
        return [] if fits else [f"{where} is {value!r}, no {shape.__name__}"]
    if not isinstance(value, dict):
        return [f"{where} is no object"]
    found = [f"{where} lacks {name}" for name, (needed, _) in SHAPES[shape].items() if needed and name not in value]
    for name, each in value.items():
        if name not in SHAPES[shape]:
            found.append(f"{where} has the unknown {name}")
        else:
            found += violations(each, SHAPES[shape][name][1], f"{where}.{name}")
    return found or BEYOND.get(shape, lambda *_: [])(value, where)


def rules_of_run(run, where):
    """The rules' ids are unique, and each result points to its own."""
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    found = [] if len(ids) == len(set(ids)) else [f"{where}: a rule's id is there twice"]
    for i, result in enumerate(run["results"]):
        if ids[result["ruleIndex"]] != result["ruleId"]:
            found.append(f"{where}.results[{i}] has another rule's index")
    prints = [result["partialFingerprints"]["warpz/v1"] for result in run["results"]]
    return found + ([] if len(prints) == len(set(prints)) else [f"{where}: two results have one fingerprint"])


def severity_of_result(result, where):
    """A result that is no failure has no level (3.27.10)."""
    return [] if (result["kind"] == "fail") == (result["level"] != "none") else [f"{where}: level and kind disagree"]


def line_of_region(region, where):
    return [] if region["startLine"] >= 1 else [f"{where}: lines count from 1"]


def place_of_artifact(artifact, where):
    return [f"{where} has a blank"] if " " in artifact["uri"] else []


BEYOND = {"run": rules_of_run, "result": severity_of_result, "region": line_of_region, "artifact": place_of_artifact}
