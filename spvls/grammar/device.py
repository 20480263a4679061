"""A Vulkan device: the version, the features, the extensions and the properties that it has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from spvls.grammar.records import Version
from spvls.grammar.vulkan import Enabler
from spvls.record import NamedTuple
from spvls.schema import explained, violations
from spvls.text.pattern import pattern
from spvls.typed import Any

_VERSION = pattern(r"1\.(0|[1-9][0-9]*)(?:\.[0-9]+)*")
_EXTENSION = pattern(r"VK_\w+")
_FEATURE = pattern(r"[a-z]\w*")
_PROPERTY = pattern(r"([a-z]\w*)=((?:VK_\w+(?:\|VK_\w+)*)?)")

#: Members of older structures that are called otherwise in those that the tables name.
_RENAMED = {"supportedOperations": "subgroupSupportedOperations"}

#: In the text of a device: that it has no features, or no extensions, beside those that are named.
_ALL_FEATURES, _ALL_EXTENSIONS = "features", "extensions"


#: A device as a table describes it.
DEVICE_SCHEMA = {
    "type": "object",
    "properties": {
        "version": {
            "type": "string",
            "pattern": r"^1\.(0|[1-9][0-9]*)(\.[0-9]+)*$",
            "title": 'one of Vulkan as a string, such as "1.2"',
            "description": "The version of Vulkan that the device has.",
        },
        "features": {
            "type": "array",
            "items": {"type": "string", "pattern": "^[a-z][A-Za-z0-9_]*$"},
            "title": "a list of names such as shaderInt64",
            "description": "The features of the device, which has no others. Without this list, features are not checked.",
        },
        "extensions": {
            "type": "array",
            "items": {"type": "string", "pattern": "^VK_[A-Za-z0-9_]+$"},
            "title": "a list of names such as VK_KHR_ray_query",
            "description": "The extensions of the device, which has no others. Without this list, extensions are not checked.",
        },
        "profile": {
            "type": "string",
            "title": "a path",
            "description": "A file of Vulkan profiles, in the folder of these settings or below.",
        },
    },
    "additionalProperties": False,
}


class Device(NamedTuple):
    """What is None, and what property is not there, is not known of the device.

    `features` are members of feature structures that are on, `properties` the bits or values of members of property
    structures.
    """

    version: Version | None = None
    features: frozenset[str] | None = None
    extensions: frozenset[str] | None = None
    properties: tuple[tuple[str, frozenset[str]], ...] = ()

    def has(self, enabler: Enabler) -> bool | None:
        """Whether the device has something; None where that is not known."""
        match enabler.kind:
            case "version" | "extension":
                return self._has_source(enabler.name)
            case "feature" if self.features is not None:
                return enabler.name in self.features
            case "property":
                for name, values in self.properties:
                    if name == enabler.name:
                        return enabler.value in values
        # What comes with none of the versions and extensions that there are is not there either.
        return False if enabler.sources and all(self._has_source(name) is False for name in enabler.sources) else None

    def lacks(self, enablers: Iterable[Enabler]) -> bool:
        """Whether the device surely has none of these."""
        return all(self.has(enabler) is False for enabler in enablers)

    def _has_source(self, name: str) -> bool | None:
        if name[0].isdigit():
            return None if self.version is None else self.version >= _version(name)
        return None if self.extensions is None else name in self.extensions

    def __str__(self) -> str:
        """The text that `device_of` reads."""
        return ",".join(self._words())

    def _words(self) -> Iterator[str]:
        if self.version is not None:
            yield f"{self.version[0]}.{self.version[1]}"
        if self.features is not None:
            yield from (_ALL_FEATURES, *sorted(self.features))
        if self.extensions is not None:
            yield from (_ALL_EXTENSIONS, *sorted(self.extensions))
        for name, values in self.properties:
            yield f"{name}={'|'.join(sorted(values))}"


@lru_cache(maxsize=16)
def device_of(text: str) -> Device:
    """The device that a text describes, words with commas between them; ValueError for a word that is none.

    A word is a version (`1.2`), an extension (`VK_KHR_ray_query`), a feature (`shaderInt64`), or a property with its bits
    or its value (`subgroupSupportedOperations=VK_SUBGROUP_FEATURE_VOTE_BIT|VK_SUBGROUP_FEATURE_BALLOT_BIT`). Where no
    extension is named, nothing is known of extensions, and the same with features; `extensions` and `features` say that
    there are no others, if any.
    """
    version: Version | None = None
    features: set[str] | None = None
    extensions: set[str] | None = None
    properties: dict[str, frozenset[str]] = {}
    for word in filter(None, map(str.strip, text.split(","))):
        if _VERSION.fullmatch(word):
            version = _version(word)
        elif word == _ALL_FEATURES:
            features = features or set()
        elif word == _ALL_EXTENSIONS:
            extensions = extensions or set()
        elif _EXTENSION.fullmatch(word):
            extensions = {*(extensions or ()), word}
        elif _FEATURE.fullmatch(word):
            features = {*(features or ()), word}
        elif found := _PROPERTY.fullmatch(word):
            properties[found[1]] = frozenset(found[2].split("|"))
        else:
            raise ValueError(f"{word!r} is not a version, feature, extension or property of a device")
    return Device(version, _frozen(features), _frozen(extensions), tuple(sorted(properties.items())))


def device_described(given: Mapping[str, Any], read: Callable[[str], str]) -> Device:
    """The device of a table with `features`, `extensions` and `version`, or with the path of a `profile` alone.

    `read` gives the text of the file that a path names. What the table says beside a profile is added to it, but for the
    version, which takes the place of the profile's. Raises ValueError, also for what cannot be read.
    """
    wrong = next(violations(DEVICE_SCHEMA, dict(given)), None)
    if wrong is not None:
        raise ValueError(explained(wrong, "device setting"))
    device = Device()
    profile = given.get("profile")
    if profile is not None:
        try:
            device = device_in_profile(read(profile))
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"the profile {profile} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    version = given.get("version")
    if version is not None:
        device = device._replace(version=_version(version))
    if "features" in given:
        device = device._replace(features=(device.features or frozenset()).union(given["features"]))
    if "extensions" in given:
        device = device._replace(extensions=(device.extensions or frozenset()).union(given["extensions"]))
    return device


def device_in_profile(text: str) -> Device:
    """The device of a file of Vulkan profiles (https://schema.khronos.org/vulkan): all of its `capabilities` together, and
    the lowest `api-version` of its profiles. Raises ValueError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this is not a profile, as it is not JSON that can be read: {error}") from error
    capabilities = data.get("capabilities") if isinstance(data, dict) else None
    if not isinstance(capabilities, dict):
        raise ValueError("this is not a profile: it has no object `capabilities`")
    features: set[str] = set()
    extensions: set[str] = set()
    properties: dict[str, frozenset[str]] = {}
    for part in _objects(capabilities.values()):
        extensions.update(_object(part, "extensions"))
        for structure in _objects(_object(part, "features").values()):
            inner = _object(structure, "features")  # VkPhysicalDeviceFeatures2 holds the older structure
            features.update(name for name, value in {**structure, **inner}.items() if value is True)
        for structure in _objects(_object(part, "properties").values()):
            for name, value in structure.items():
                values = _values(value)
                if values is not None:
                    properties[_RENAMED.get(name, name)] = values
    versions = [
        _version(named)
        for profile in _objects(_object(data, "profiles").values())
        if isinstance(named := profile.get("api-version"), str) and _VERSION.fullmatch(named)
    ]
    known = tuple(sorted(properties.items()))
    return Device(min(versions, default=None), frozenset(features), frozenset(extensions), known)


def _object(of: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = of.get(key)
    return found if isinstance(found, dict) else {}


def _objects(values: Iterable[Any]) -> Iterator[dict[str, Any]]:
    return (value for value in values if isinstance(value, dict))


def _values(value: Any) -> frozenset[str] | None:
    """The bits of a mask, or a truth value, in the names of Vulkan; None for what is neither."""
    if isinstance(value, bool):
        return frozenset({"VK_TRUE" if value else "VK_FALSE"})
    if isinstance(value, list) and all(isinstance(bit, str) and bit.startswith("VK_") for bit in value):
        return frozenset(value)
    return None


def _version(text: str) -> Version:
    major, minor, *_ = text.split(".")
    return int(major), int(minor)


def _frozen(names: set[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)
