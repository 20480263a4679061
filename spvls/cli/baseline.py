"""Baselines: reports of an earlier run, whose findings are known and not to be reported again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from spvls.cli.failure import Failure, reason
from spvls.cli.fingerprint import NAME
from spvls.cli.outcome import Known
from spvls.text.files import read_file
from spvls.typed import Any


def read_baseline(path: str) -> Known:
    """The findings of a report that `lint` wrote as `json` or as `sarif`. Raises Failure."""
    try:
        data = json.loads(read_file(path))
        found = data["findings"] if "findings" in data else [result for run in data["runs"] for result in run["results"]]
        return frozenset(_known(found))
    except OSError as error:
        raise Failure(f"{path}: {reason(error)}") from error
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise Failure(f"{path}: this is not a report that `spvls lint` wrote as json or as sarif") from None


def _known(found: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for finding in found:
        if "fingerprint" in finding:
            yield os.path.normpath(finding["path"]), str(finding["fingerprint"])
        else:
            uri: str = finding["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            yield os.path.normpath(os.fsdecode(unquote_to_bytes(uri))), str(finding["partialFingerprints"][NAME])
