"""The measurements of scripts/import-table, which says what they are."""

import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
METHODS = ["get", "head", "post", "put", "patch", "delete", "query"]
PAGE = pathlib.Path("docs/import.md")
BEGIN, END = "<!-- import-table -->\n", "<!-- /import-table -->\n"


def folded(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def operations(document):
    """How many operations with a method of contracts a document has; paths may be in other files of its folder."""
    count = 0
    for item in (document.get("paths") or {}).values():
        if isinstance(item, dict):
            count += sum(method in item for method in METHODS)
    return count


def carried(contract):
    """How many operations the endpoints stand for: one that responds whole or as a stream has two, and one with a body of
    alternatives may have one for each."""
    count, names = 0, {}
    for name, endpoint in contract["endpoints"].items():
        others = names.setdefault(request(endpoint), [])
        count += not any("delivery" in endpoint or name.startswith(other + "With") for other in others)
        others.append(name)
    return count


def request(endpoint):
    return next(((method, endpoint[method]) for method in METHODS if method in endpoint), None)


def words(document):
    """All names and texts of a document, as they would be in a name."""
    found, pending = set(), [document]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            found.update(str(key) for key in node)
            pending += node.values()
        elif isinstance(node, list):
            pending += node
        elif isinstance(node, str) and len(node) < 200:
            found.add(node)
    return {folded(part) for word in found for part in [word, *re.split(r"[/#{}?&=:]", word)]}


def names(contract):
    """The names that an import chooses, by the place where they must differ."""
    for section in ["types", "errors", "endpoints", "envelopes"]:
        yield list(contract.get(section) or {})
    for definition in (contract.get("types") or {}).values():
        if isinstance(definition, dict):
            cases = definition.get("enum")
            yield list(cases) if isinstance(cases, dict) else []
            yield list(definition.get("fields") or definition)


def numbered(contract, document):
    """The names whose number at the end is not in the document: the import has added it to tell two names apart."""
    known = words(document)
    result = []
    for group in names(contract):
        own = set(map(str, group))
        for name in own:
            stem = name.rstrip("0123456789")
            if stem == name or stem not in own:
                continue
            text = folded(name)
            # The end of a name made of several parts is the name of the last part.
            if not any(text[start:] in known for start in range(len(stem))):
                result.append(name)
    return sorted(result)


def fields(contract):
    """How many fields a contract has."""
    count = 0
    for definition in (contract.get("types") or {}).values():
        if isinstance(definition, dict) and not {"enum", "union", "alias"} & set(definition):
            own = definition.get("fields", definition)
            count += len(own) if isinstance(own, dict) else 0
    for endpoint in contract["endpoints"].values():
        for key in ["query", "headers", "body", "response"]:
            own = endpoint.get(key)
            own = own.get("fields", own) if isinstance(own, dict) else None
            count += len(own) if isinstance(own, dict) else 0
    return count


def run(command):
    """Runs a command as the only child of this process, and prints its last line, its exit status, and what it took."""
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    memory = usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    print(json.dumps([(process.stdout.strip().splitlines() or [""])[-1], process.returncode,
                      usage.ru_utime + usage.ru_stime, memory]))


def imported(tool, path, output):
    """The result of ``run`` for an import. It is a process of its own, because a child's memory begins with that of its parent."""
    command = [tool, "import", "openapi", str(path), "-o", str(output), "--force", "--color", "never"]
    return json.loads(subprocess.check_output([sys.executable, __file__, "--run", *command], text=True))


def measured(tool, path, title, output):
    text = path.read_text()
    document = json.loads(text) if path.suffix == ".json" else yaml.load(text, Loader)
    line, status, seconds, memory = imported(tool, path, output)
    if status not in (0, 1):
        raise SystemExit(f"import-table: {path} cannot be imported")
    contract = yaml.load(output.read_text(), Loader)
    untyped = re.search(r"(\d+) of ([\d,]+) fields? untyped", line)
    return {
        "title": title, "size": len(text) / 1e6, "in": operations(document), "out": len(contract["endpoints"]), "carried": carried(contract),
        "types": len(contract.get("types") or {}),
        "untyped": (int(untyped[1]), int(untyped[2].replace(",", ""))) if untyped else (0, fields(contract)),
        "numbered": numbered(contract, document), "seconds": seconds, "memory": memory,
    }


def made(count):
    """A document with operations, each with a schema of its own that refers to the one before."""
    paths, schemas = {}, {}
    for number in range(count):
        name = f"Part{number}x"
        schemas[name] = {
            "type": "object", "required": ["id"],
            "properties": {
                "id": {"type": "string", "description": "Identifies the part for as long as the service has it."},
                "state": {"type": "string", "enum": ["new", "used", f"own{number}x"]},
                "next": {"$ref": f"#/components/schemas/Part{max(0, number - 1)}x"},
                "lines": {"type": "array", "items": {
                    "type": "object", "properties": {"text": {"type": "string"}, "count": {"type": "integer"}}}},
            },
        }
        paths[f"/parts{number}x/{{id}}"] = {"get": {
            "operationId": f"getPart{number}x",
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "responses": {
                "200": {"description": "Fine", "content": {
                    "application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}},
                "404": {"description": "None", "content": {"application/json": {"schema": {
                    "type": "object", "properties": {"message": {"type": "string"}}}}}},
            },
        }}
    return json.dumps({
        "openapi": "3.1.0", "info": {"title": "Parts", "version": "1"}, "servers": [{"url": "https://parts.example"}],
        "paths": paths, "components": {"schemas": schemas},
    }, indent=1)


def number(value):
    return f"{value:,}"


def table(rows):
    lines = ["| document | MB | operations | endpoints | types | fields that are `json` | numbered names | CPU s | memory MB |",
             "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        few, all_fields = row["untyped"]
        lines.append(
            f"| {row['title']} | {row['size']:.2f} | {number(row['in'])} | {number(row['out'])} | {number(row['types'])} | "
            + (f"{number(few)} of {number(all_fields)}" if few else "0")
            + f" | {len(row['numbered'])} | {row['seconds']:.2f} | {row['memory']:.0f} |")
    return "\n".join(lines) + "\n"


def goals(rows, small, large):
    real = [row for row in rows if row not in (small, large)]
    all_in, all_out = sum(row["in"] for row in real), sum(row["carried"] for row in real)
    few, every = (sum(row["untyped"][place] for row in real) for place in (0, 1))
    some = [name for row in real for name in row["numbered"]]
    # A small document takes what the start of the tool takes.
    big = [row for row in rows if row["size"] > 1]
    pace = max((row["seconds"] / row["size"] for row in big), default=0)
    room = max((row["memory"] * 5 / max(5, row["size"]) for row in big), default=0)
    growth = large["seconds"] / small["seconds"] / (large["size"] / small["size"])
    return [
        ("operations that are left out", f"{100 * (all_in - all_out) / all_in:.1f} %", "0.5 %",
         all_in - all_out <= 0.005 * all_in),
        ("fields that are `json`", f"{100 * few / max(1, every):.1f} %", "2 %", few <= 0.02 * every),
        ("names numbered by the import", ", ".join(some) or "0", "0", not some),
        ("CPU for 5 MB", f"{5 * pace:.1f} s", "2 s", 5 * pace <= 2),
        ("memory for 5 MB", f"{room:.0f} MB", "200 MB", room <= 200),
        ("CPU per byte, four times the size", f"{growth:.2f} times", "1.3 times", growth <= 1.3),
    ]


def main():
    tool, folder, *flags = sys.argv[1:]
    paths = [(path, path.stem) for path in sorted(pathlib.Path(folder).rglob("*"))
             if path.suffix in (".json", ".yaml") and "example" not in str(path.relative_to(folder))]
    paths += [(path / "api.yaml", f"case `{path.name}`")
              for path in sorted(pathlib.Path("Tests/OpenAPITests/Import/Cases").iterdir()) if (path / "api.yaml").exists()]
    rows = []
    with tempfile.TemporaryDirectory() as place:
        # An import reads only files below the folder in which it is started, or below that of its document.
        output = pathlib.Path(place) / "a.contract.yaml"
        for path, title in paths:
            rows.append(measured(tool, path, title, output))
        sizes = []
        for count in (1_500, 6_000):
            path = pathlib.Path(place) / f"made{count}.json"
            path.write_text(made(count))
            sizes.append(measured(tool, path, f"made, {count:,} operations", output))
        rows += sizes
    text = table(rows)
    print(text)
    results = goals(rows, *sizes)
    summary = "| goal | measured | at most |\n|---|---|---|\n"
    for name, value, bound, is_met in results:
        summary += f"| {name} | {value}{'' if is_met else ' (missed)'} | {bound} |\n"
    print(summary)
    if "--record" in flags:
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        _, after = rest.split(END)
        PAGE.write_text(before + BEGIN + "\n" + text + "\n" + summary + "\n" + END + after)
    sys.exit(0 if all(is_met for *_, is_met in results) else 1)


if sys.argv[1] == "--run":
    run(sys.argv[2:])
else:
    main()
