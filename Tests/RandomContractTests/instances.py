"""Valid instances of the schemas of an OpenAPI document.

    instances.py DOCUMENT < names of schemas

Prints lines of a name, a tab and JSON. Instances are of what a contract promises to carry: the properties that a schema has,
numbers that Swift's types hold, and formats as their RFCs spell them. Schemas that hypothesis-jsonschema cannot do, such as
recursive ones, are cut: a reference that leads back to a schema that is open is left out where it is optional, and so is one
below DEEP other references. Without that limit, the instances of a document whose schemas all refer to each other have no end.
"""
import base64
import copy
import json
import os
import sys
import tempfile
import warnings

# Where hypothesis keeps what it looked up; by default in the folder in which the tests were started.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", os.path.join(tempfile.gettempdir(), "errand-hypothesis"))

import yaml
from hypothesis import HealthCheck, Phase, given, settings, strategies
from hypothesis_jsonschema import from_schema

warnings.simplefilter("ignore")
EACH = int(os.environ.get("ERRAND_INSTANCES_EACH", "12"))
LARGEST = 2**53 - 1
DEEP = 3
FILES = {}


class Unreachable(Exception):
    """A schema that needs itself."""


def load(path):
    if path not in FILES:
        with open(path, encoding="utf-8") as file:
            FILES[path] = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return FILES[path]


def follow(reference, path):
    name, _, fragment = reference.partition("#")
    if name:
        path = os.path.normpath(os.path.join(os.path.dirname(path), name))
    value = load(path)
    for step in fragment.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value, path


KEPT = {
    "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
    "pattern", "minItems", "maxItems", "minProperties", "maxProperties", "multipleOf", "uniqueItems", "format",
}


def has_default(schema, path, depth=0):
    if not isinstance(schema, dict) or depth > 20:
        return False
    if "default" in schema:
        return True
    if "$ref" in schema:
        target, path = follow(schema["$ref"], path)
        return has_default(target, path, depth + 1)
    return any(has_default(part, path, depth + 1) for part in schema.get("allOf", []))


def required_names(schema, path, depth=0):
    """What a schema and the members of its allOf require. A member may require a property of another one."""
    if not isinstance(schema, dict) or depth > 20:
        return set()
    if "$ref" in schema:
        target, path = follow(schema["$ref"], path)
        return required_names(target, path, depth + 1)
    names = set(schema.get("required", []))
    return names.union(*(required_names(part, path, depth + 1) for part in schema.get("allOf", [])))


def refers(schema):
    return isinstance(schema, dict) and ("$ref" in schema or any(
        refers(part) for key in ("allOf", "oneOf", "anyOf") for part in schema.get(key, [])
    ) or refers(schema.get("items")) or refers(schema.get("additionalProperties")))


def plain(schema, path, is30, open_, needed=frozenset()):
    """The schema without references and without what OpenAPI 3.0 says in another way.

    `needed` are the properties that an allOf around it requires.
    """
    if schema is True or schema == {}:
        return {"type": ["string", "boolean"]}
    if "$ref" in schema:
        target, there = follow(schema["$ref"], path)
        if id(target) in open_ or len(open_) > 12:
            raise Unreachable()
        return plain(target, there, is30, open_ | {id(target)}, needed)
    is_deep = len(open_) > DEEP
    needed = needed | required_names(schema, path)
    result = {key: copy.deepcopy(value) for key, value in schema.items() if key in KEPT}
    for key in ("exclusiveMinimum", "exclusiveMaximum"):
        if isinstance(result.get(key), bool):
            if result.pop(key):
                result[key] = result.pop(key.replace("exclusiveM", "m"))
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            members = []
            parts = schema[key]
            if is_deep and key != "allOf":
                parts = [part for part in parts if not refers(part)] or parts
            for member in parts:
                try:
                    members.append(plain(member, path, is30, open_, needed if key == "allOf" else frozenset()))
                except Unreachable:
                    if key == "allOf":
                        raise
            if not members:
                raise Unreachable()
            result[key] = members
    if "allOf" in result:
        merged = {"properties": {}, "required": []}
        for part in result.pop("allOf"):
            for key, value in part.items():
                if key == "properties":
                    for name, inner in value.items():
                        merged["properties"].setdefault(name, inner)
                elif key == "required":
                    merged["required"] += value
                else:
                    merged.setdefault(key, value)
        merged["required"] += sorted(needed & set(merged["properties"]) - set(merged["required"]))
        if not merged["properties"]:
            del merged["properties"]
        if not merged["required"]:
            del merged["required"]
        merged.update(result)
        result = merged
        if "properties" in result:
            result["additionalProperties"] = False
    if "properties" not in schema and "required" in schema and "properties" in result:
        names = set(result.get("required", [])) | set(schema["required"])
        result["required"] = sorted(names & set(result["properties"]))
    if "properties" in schema:
        properties = result.get("properties", {})
        required = list(needed) + list(result.get("required", []))
        for name, inner in schema["properties"].items():
            if is_deep and name not in required and refers(inner) and not has_default(inner, path):
                continue
            try:
                properties[name] = plain(inner, path, is30, open_)
                # A client writes the default of what it was not given.
                if has_default(inner, path):
                    required.append(name)
            except Unreachable:
                if name in required:
                    raise
        result["properties"] = properties
        result["required"] = sorted({name for name in required if name in properties})
        result.setdefault("type", "object")
        result["additionalProperties"] = False
    elif isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
        try:
            if is_deep and refers(schema["additionalProperties"]):
                raise Unreachable()
            result["additionalProperties"] = plain(schema["additionalProperties"], path, is30, open_)
        except Unreachable:
            result["maxProperties"] = 0
    if "items" in schema:
        try:
            if is_deep and refers(schema["items"]) and not schema.get("minItems"):
                raise Unreachable()
            result["items"] = plain(schema["items"], path, is30, open_)
            result.setdefault("type", "array")
            result["maxItems"] = min(result.get("maxItems", 3), max(3, result.get("minItems", 0)))
        except Unreachable:
            result = {"type": "array", "maxItems": 0}
    types = result.get("type")
    types = [types] if isinstance(types, str) else types or []
    if "integer" in types or "number" in types:
        least = -(2**31) if result.get("format") == "int32" else -LARGEST
        most = 2**31 - 1 if result.get("format") == "int32" else LARGEST
        if result.get("format") in ("uint64", "uint32", "uint"):
            least = 0
        if result.get("format") in ("unix-time", "unixtime"):
            # A date is in the years 0 to 9999, as docs/json.md says.
            least, most = -62167219200, 253402300799
        if "exclusiveMinimum" not in result:
            result["minimum"] = max(result.get("minimum", least), least)
        if "exclusiveMaximum" not in result:
            result["maximum"] = min(result.get("maximum", most), most)
        if result.get("format") == "float":
            result["multipleOf"] = 0.5
            result["minimum"], result["maximum"] = max(result["minimum"], -1000), min(result["maximum"], 1000)
    if is30 and schema.get("nullable") or schema.get("x-nullable"):
        if "enum" in result and None not in result["enum"]:
            result["enum"].append(None)
        if types:
            result["type"] = types + ["null"]
        else:
            result = {"anyOf": [result, {"type": "null"}]}
    result.pop("multipleOf", None) if result.get("format") != "float" else None
    return result


def instances(schema):
    digits = strategies.integers
    formats = {
        "date-time": strategies.builds(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z".format, digits(1971, 2099), digits(1, 12), digits(1, 28),
            digits(0, 23), digits(0, 59), digits(0, 59)),
        "date": strategies.builds("{:04}-{:02}-{:02}".format, digits(1, 9999), digits(1, 12), digits(1, 28)),
        "uuid": strategies.uuids().map(str),
        "uri": digits(0, 999).map("https://a.example/b?c={}".format),
        "url": digits(0, 999).map("https://a.example/b?c={}".format),
        "byte": strategies.binary(max_size=12).map(lambda value: base64.b64encode(value).decode()),
    }
    found = []

    @settings(
        max_examples=EACH, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck))
    @given(from_schema(schema, custom_formats=formats))
    def collect(value):
        found.append(value)

    collect()
    return found


def main():
    path = sys.argv[1]
    document = load(path)
    is30 = not str(document.get("openapi", "2")).startswith("3.1")
    schemas = document.get("components", {}).get("schemas") or document.get("definitions") or {}
    for name in sys.stdin.read().split("\n"):
        if name not in schemas:
            continue
        try:
            for value in instances(plain(schemas[name], path, is30, frozenset([id(schemas[name])]))):
                print(name + "\t" + json.dumps(value, ensure_ascii=True))
        except Exception as problem:
            print(f"{name}: {problem!r}"[:200], file=sys.stderr)


main()
