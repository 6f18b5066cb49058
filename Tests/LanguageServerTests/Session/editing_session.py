"""A whole session of editing with pygls' client: it opens contracts, makes mistakes, asks about them and mends them.

editing_session.py ERRAND FOLDER ENCODING

FOLDER holds a copy of the shipped contracts in contracts/. Every range that the server names is read back from the text as
the client has it, and what is published is compared with what `errand lint` says of the same text.
"""

import asyncio
import copy
import json
import pathlib
import subprocess
import sys

from lsprotocol import types as t
from pygls.lsp.client import LanguageClient

ERRAND, FOLDER, ENCODING = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]

SHOP = """errand: 1
service: Shop
imports: [shared.contract.yaml]
servers: {main: https://shop.example}
defaults: {timeout: 10s, errors: [busy]}
endpoints:
  getItem: {doc: "🧾 e\u0301 Straße", get: "/items/{id}", response: Item, errors: [soldOut]}
\t# 👩‍👩‍👧 a tab stands before this
  countItems: {get: "/items/{colour:Colour}/count", response: int}
  orderItem:
    post: /orders
    body: {item: Item?, others: [Item]}
    response: {type: Item}
    effect: once
"""
SHARED = """errand: 1
service: Shared
types:
  Item: {id: int, "colour": Colour, price: decimal}
  Colour: {doc: Of a thing., enum: [red, green]}
errors:
  soldOut: {category: nonRetryable, when: {status: 409}, message: It is sold out.}
  busy:
    category: retryable
    when: {status: 503}
    message: Please wait.
endpoints: {}
"""


def units(text):
    return len(text.encode("utf-8")) if ENCODING == "utf-8" else len(text.encode("utf-16-le")) // 2


def lines(text):
    found, line = [], ""
    for index, character in enumerate(text):
        line += character
        if character == "\n" or (character == "\r" and text[index + 1 : index + 2] != "\n"):
            found.append(line)
            line = ""
    return found + [line]


def position(text, index):
    before = lines(text[:index])
    return t.Position(line=len(before) - 1, character=units(before[-1]))


def index(text, place):
    all_lines = lines(text)
    start = sum(len(line) for line in all_lines[: place.line])
    line, count = all_lines[place.line], 0
    for offset, character in enumerate(line):
        if count == place.character:
            return start + offset
        assert count < place.character, f"{place} is inside a character"
        count += units(character)
    assert count == place.character, f"{place} is behind its line"
    return start + len(line)


def slice_of(text, the_range):
    return text[index(text, the_range.start) : index(text, the_range.end)]


class Session:
    def __init__(self):
        self.client = LanguageClient("session", "1")
        self.texts, self.versions, self.published = {}, {}, {}
        self.news = asyncio.Event()
        self.registered = []

        @self.client.feature(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(parameters):
            self.published[parameters.uri] = parameters
            self.news.set()

        @self.client.feature(t.CLIENT_REGISTER_CAPABILITY)
        def register(parameters):
            self.registered += [registration.method for registration in parameters.registrations]

    def uri(self, name):
        return (FOLDER / name).as_uri()

    async def begin(self):
        await self.client.start_io(ERRAND, "lsp")
        abilities = t.ClientCapabilities(
            general=t.GeneralClientCapabilities(position_encodings=[ENCODING, "utf-16"]),
            workspace=t.WorkspaceClientCapabilities(
                workspace_edit=t.WorkspaceEditClientCapabilities(document_changes=True),
                did_change_watched_files=t.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
            ),
            text_document=t.TextDocumentClientCapabilities(
                document_symbol=t.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
                publish_diagnostics=t.PublishDiagnosticsClientCapabilities(
                    related_information=True, tag_support=t.ClientDiagnosticsTagOptions(value_set=list(t.DiagnosticTag))
                ),
            ),
        )
        parameters = t.InitializeParams(capabilities=abilities, root_uri=FOLDER.as_uri())
        result = await self.client.initialize_async(parameters)
        assert result.capabilities.position_encoding == ENCODING
        self.client.initialized(t.InitializedParams())

    def open(self, name, text):
        self.texts[name], self.versions[name] = text, 1
        item = t.TextDocumentItem(uri=self.uri(name), language_id="yaml", version=1, text=text)
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(text_document=item))

    def change(self, name, *edits):
        """Each edit is (old, new), found in the text that the edits before it made."""
        changes = []
        for old, new in edits:
            text = self.texts[name]
            start = text.index(old)
            the_range = t.Range(position(text, start), position(text, start + len(old)))
            changes.append(t.TextDocumentContentChangePartial(range=the_range, text=new))
            self.texts[name] = text[:start] + new + text[start + len(old) :]
        self.versions[name] += 1
        document = t.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.versions[name])
        self.client.text_document_did_change(
            t.DidChangeTextDocumentParams(text_document=document, content_changes=changes)
        )

    def apply(self, edit):
        for change in edit.document_changes:
            name = next(name for name in self.texts if self.uri(name) == change.text_document.uri)
            assert change.text_document.version == self.versions[name]
            text = self.texts[name]
            places = sorted(((index(text, e.range.start), index(text, e.range.end), e.new_text) for e in change.edits), reverse=True)
            new = text
            for start, end, replacement in places:
                new = new[:start] + replacement + new[end:]
            self.texts[name] = new
            self.versions[name] += 1
            document = t.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.versions[name])
            whole = t.TextDocumentContentChangeWholeDocument(text=new)
            self.client.text_document_did_change(
                t.DidChangeTextDocumentParams(text_document=document, content_changes=[whole])
            )

    async def diagnostics(self, name):
        """Those of the text as it is now."""
        while True:
            found = self.published.get(self.uri(name))
            if found and found.version == self.versions.get(name):
                return list(found.diagnostics)
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 60)

    async def rules(self, name):
        return [(d.code, slice_of(self.texts[name], d.range)) for d in await self.diagnostics(name)]

    def place(self, name, marked):
        """The place in the text where `marked` has its ¦."""
        before, behind = marked.split("¦")
        text = self.texts[name]
        assert text.count(before + behind) == 1, marked
        start = text.index(before + behind) + len(before)
        return {"text_document": t.TextDocumentIdentifier(self.uri(name)), "position": position(text, start)}

    async def hover(self, name, marked):
        answer = await self.client.text_document_hover_async(t.HoverParams(**self.place(name, marked)))
        return answer and (answer.contents.value, slice_of(self.texts[name], answer.range))

    async def definition(self, name, marked):
        answer = await self.client.text_document_definition_async(t.DefinitionParams(**self.place(name, marked)))
        return [self.said(location) for location in answer]

    async def references(self, name, marked, declaration=True):
        context = t.ReferenceContext(include_declaration=declaration)
        answer = await self.client.text_document_references_async(
            t.ReferenceParams(context=context, **self.place(name, marked))
        )
        return [self.said(location) for location in answer]

    def said(self, location):
        """The file of a location and the text there."""
        path = next(name for name in list(self.texts) + [str(p.relative_to(FOLDER)) for p in FOLDER.rglob("*.yaml")]
                    if self.uri(name) == location.uri)
        text = self.texts.get(path) or (FOLDER / path).read_text()
        return path, location.range.start.line + 1, slice_of(text, location.range)

    async def completions(self, name, marked):
        answer = await self.client.text_document_completion_async(t.CompletionParams(**self.place(name, marked)))
        return {item.label: item for item in answer.items}

    async def actions(self, name, marked, only=None):
        place = self.place(name, marked)
        parameters = t.CodeActionParams(
            text_document=place["text_document"], range=t.Range(place["position"], copy.copy(place["position"])),
            context=t.CodeActionContext(diagnostics=[], only=only),
        )
        return {action.title: action for action in await self.client.text_document_code_action_async(parameters) or []}

    async def same_as_lint(self):
        """Puts the texts as they are onto the disk and compares what is published with what lint says of them."""
        for name, text in self.texts.items():
            (FOLDER / name).write_bytes(text.encode())
        report = json.loads(subprocess.run([ERRAND, "lint", "--format", "json"], cwd=FOLDER, capture_output=True).stdout)
        wanted = {name: [] for name in self.texts}
        for finding in report["findings"]:
            data = self.texts[finding["file"]].encode()
            covered = data[finding["range"]["start"]["offset"] : finding["range"]["end"]["offset"]].decode()
            severity = {"error": 1, "warning": 2, "note": 3}[finding["severity"]]
            wanted[finding["file"]].append((finding["rule"], severity, finding["range"]["start"]["line"] - 1, covered))
        for name in self.texts:
            found = [(d.code, int(d.severity), d.range.start.line, slice_of(self.texts[name], d.range))
                     for d in await self.diagnostics(name)]
            assert found == wanted[name], f"{name}: {found} is published, and lint says {wanted[name]}"
        return len(report["findings"])


async def edit_the_shipped_contracts(s):
    for path in sorted((FOLDER / "contracts").glob("*.yaml")):
        s.open("contracts/" + path.name, path.read_text())
    assert await s.same_as_lint() == 0

    bank = "contracts/bank.contract.yaml"
    s.change(bank, ("response: Account\n", "response: Acount # 🧾\n"))
    assert await s.rules(bank) == [("unknown-type", "Acount")]
    s.change(bank, ("Acount # 🧾", "Acc # 🧾🧾"), ("🧾", "é"), ("Acc # é🧾", "Account"))
    assert await s.rules(bank) == []
    s.change(bank, ("types:\n  Transfer:\n", "types:\n  Transfer: {\n"))
    assert [rule for rule, _ in await s.rules(bank)][0].startswith("yaml-")
    completions = await s.completions(bank, "response: ¦StandingOrder")
    assert "StandingOrder" in completions and "CardKind" in completions, "names of the last text that could be read"
    s.change(bank, ("types:\n  Transfer: {\n", "types:\n  Transfer:\n"))
    assert await s.same_as_lint() == 0

    text, word = await s.hover(bank, "errors: [insufficientFunds, account¦Frozen, noSuchAccount]")
    assert word == "accountFrozen" and "nonRetryable" in text and "code: 900006" in text and "`orderCard`" in text, text
    text, word = await s.hover(bank, "  transfer¦Funds:")
    explained = subprocess.run([ERRAND, "explain", "Bank", "transferFunds"], cwd=FOLDER, capture_output=True, text=True).stdout
    assert word == "transferFunds" and "POST /transfers" in text and "insufficientFunds" in text
    for line in explained.splitlines():
        if line.startswith("attempt ") or line.startswith("ends after"):
            assert line in text, f"{line!r} is explained and not shown"
    text, _ = await s.hover(bank, "  IBAN¦:\n    alias")
    assert "alias" not in text and "`string`" in text and "15..34" in text, text
    text, _ = await s.hover(bank, "defaults:\n  env¦elope: standard")
    assert "envelope of the responses" in text
    text, word = await s.hover(bank, "defaults:\n  envelope: stand¦ard")
    assert word == "standard" and "error.messages" in text
    text, word = await s.hover(bank, "category: requires¦Logout\n    when: {status: 401}")
    assert word == "requiresLogout" and "how the client handles the error" in text

    line = lines(s.texts[bank]).index("  StandingOrder:\n") + 1
    assert await s.definition(bank, "response: Standing¦Order") == [(bank, line, "StandingOrder")]
    assert [x[2] for x in await s.definition(bank, "login: log¦In")] == ["logIn"]
    friends = "contracts/friends.contract.yaml"
    path, _, word = (await s.definition(friends, "errors: [session¦Expired, underRepair]"))[0]
    assert (path, word) == ("contracts/auth.contract.yaml", "sessionExpired")
    assert (await s.definition(friends, "imports: [auth.contract¦.yaml]"))[0][0] == "contracts/auth.contract.yaml"
    uses = await s.references("contracts/auth.contract.yaml", "  session¦Expired:")
    assert {path for path, _, _ in uses} == {"contracts/auth.contract.yaml", friends}, uses
    assert all(word == "sessionExpired" for _, _, word in uses)

    symbols = await s.client.text_document_document_symbol_async(
        t.DocumentSymbolParams(t.TextDocumentIdentifier(s.uri(bank)))
    )
    endpoints = next(symbol for symbol in symbols if symbol.name == "endpoints")
    assert [c.name for c in endpoints.children][:2] == ["logIn", "logOut"] and endpoints.children[0].detail == "POST /sessions"
    account = next(c for symbol in symbols if symbol.name == "types" for c in symbol.children if c.name == "Account")
    assert [c.name for c in account.children] == ["id", "owner", "balance", "status", "openedAt", "nickname"]
    for symbol in symbols:
        for entry in [symbol, *symbol.children]:
            assert slice_of(s.texts[bank], entry.selection_range).strip("\"'") == entry.name
            assert slice_of(s.texts[bank], entry.range).startswith(slice_of(s.texts[bank], entry.selection_range))


async def write_two_contracts(s):
    shop, shared = "contracts/shop.contract.yaml", "contracts/shared.contract.yaml"
    s.open(shop, SHOP.replace("\t#", "  #"))
    assert "missing-file" in dict(await s.rules(shop))
    (FOLDER / shared).write_text(SHARED)
    watched = t.FileEvent(uri=s.uri(shared), type=t.FileChangeType.Created)
    assert "workspace/didChangeWatchedFiles" in s.registered
    del s.published[s.uri(shop)]
    s.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams(changes=[watched]))
    assert "missing-file" not in dict(await s.rules(shop))

    # The text that is open wins over the file, also for the contract that imports it.
    s.open(shared, SHARED.replace("soldOut:", "soldout:"))
    del s.published[s.uri(shop)]
    assert ("unknown-error", "soldOut") in await s.rules(shop)
    s.change(shared, ("soldout:", "soldOut:"))
    del s.published[s.uri(shop)]
    assert "unknown-error" not in dict(await s.rules(shop))
    await s.diagnostics(shared)
    await s.same_as_lint()

    assert await s.definition(shop, "response: It¦em, errors") == [(shared, 4, "Item")]
    assert await s.definition(shop, "{colour:Col¦our}") == [(shared, 5, "Colour")]
    assert await s.definition(shop, "errors: [b¦usy]") == [(shared, 8, "busy")]
    uses = await s.references(shop, "others: [¦Item]")
    assert [(path, word) for path, _, word in uses] == [(shared, "Item")] + [(shop, "Item")] * 4, uses
    assert len(await s.references(shop, "others: [¦Item]", declaration=False)) == 4
    assert len(await s.references(shared, "\"colour\": Col¦our")) == 3
    highlights = await s.client.text_document_document_highlight_async(
        t.DocumentHighlightParams(**s.place(shop, "{type: It¦em}"))
    )
    assert len(highlights) == 4
    text, _ = await s.hover(shop, "response: It¦em, errors")
    assert "shared.contract.yaml" in text and "`decimal`" in text

    # Another name, in every contract at once.
    prepared = await s.client.text_document_prepare_rename_async(t.PrepareRenameParams(**s.place(shop, "{colour:Col¦our}")))
    assert prepared.placeholder == "Colour"
    for new in ["int", "two words", "Item", "7up", ""]:
        try:
            await s.client.text_document_rename_async(t.RenameParams(new_name=new, **s.place(shop, "{colour:Col¦our}")))
        except Exception as refusal:
            assert new in str(refusal)
        else:
            raise AssertionError(f"a type may not be called {new!r}")
    before = await s.same_as_lint()
    edit = await s.client.text_document_rename_async(t.RenameParams(new_name="Shade", **s.place(shop, "{colour:Col¦our}")))
    s.apply(edit)
    assert "{colour:Shade}" in s.texts[shop] and "\"colour\": Shade" in s.texts[shared] and "Colour" not in s.texts[shared]
    assert await s.same_as_lint() == before

    # What may be written, while the line is no YAML yet.
    s.change(shop, ("    effect: once\n", "    effect: once\n    errors: [so\n    ses\n"))
    items = await s.completions(shop, "errors: [so¦\n")
    assert {"soldOut", "busy"} <= set(items) and items["soldOut"].text_edit.new_text == "soldOut"
    assert slice_of(s.texts[shop], items["soldOut"].text_edit.range) == "so"
    items = await s.completions(shop, "    ses¦\n")
    assert "session" in items and "effect" not in items and "optional" in items["session"].documentation.value
    s.change(shop, ("    errors: [so\n    ses\n", "    errors: [soldOut]\n    session: \n"))
    assert set(await s.completions(shop, "    session: ¦\n")) == {"required", "optional", "none"}
    s.change(shop, ("    session: \n", "    timeout: 5s\n"))
    assert {"Item", "Shade", "string", "uuid"} <= set(await s.completions(shop, "others: [¦Item]"))
    assert set(await s.completions(shop, "imports: [¦shared")) >= {"shared.contract.yaml", "bank.contract.yaml"}

    # Findings, mended or put up with from the editor.
    s.change(shop, ("    effect: once\n", "    effect: once\n    retry: {base: 300ms}\n"))
    rules = await s.rules(shop)
    assert ("retry-without-limit", "{base: 300ms}") in rules, rules
    action = next(a for a in (await s.actions(shop, "retry: {¦base")).values() if a.is_preferred)
    assert action.kind == "quickfix" and action.diagnostics[0].code == "retry-without-limit"
    s.apply(action.edit)
    assert "retry: {attempts: 3, base: 300ms}" in s.texts[shop]
    assert "retry-without-limit" not in dict(await s.rules(shop))
    s.change(shop, ("retry: {attempts: 3, base: 300ms}", "retry: {base: 300ms}"), ("timeout: 10s", "timeout: 10s, retry: {base: 1s}"))
    only = await s.actions(shop, "retry: {¦base: 300", only=["source.fixAll"])
    assert [action.kind for action in only.values()] == ["source.fixAll"]
    s.apply(next(iter(only.values())).edit)
    assert s.texts[shop].count("attempts: 3") == 2
    s.change(shop, ("post: /orders", "post: /createOrder"))
    for rule, covered in await s.rules(shop):
        found = next(d for d in await s.diagnostics(shop) if (d.code, slice_of(s.texts[shop], d.range)) == (rule, covered))
        actions = await s.client.text_document_code_action_async(t.CodeActionParams(
            text_document=t.TextDocumentIdentifier(s.uri(shop)), range=found.range, context=t.CodeActionContext(diagnostics=[])
        ))
        s.apply(next(a for a in actions if a.title == f"Ignore {rule} here").edit)
        assert f"# errand:ignore {rule} REASON\n" in s.texts[shop]
    assert await s.rules(shop) == [], await s.rules(shop)
    await s.diagnostics(shared)
    await s.same_as_lint()
    rule = s.texts[shop].split("errand:ignore ")[1].split(" ")[0]
    text, word = await s.hover(shop, s.texts[shop].split(" REASON")[0][-40:] + "¦ REASON")
    assert word == rule and "Why is this bad" in text
    s.change(shop, (f"errand:ignore {rule} REASON", "errand:ignore "))
    assert rule in await s.completions(shop, "errand:ignore ¦\n")


async def main():
    s = Session()
    await s.begin()
    await edit_the_shipped_contracts(s)
    await write_two_contracts(s)
    for name in list(s.texts):
        s.client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(s.uri(name))))
        del s.versions[name]
        assert await s.diagnostics(name) == []
    await s.client.shutdown_async(None)
    s.client.exit(None)
    status = await asyncio.wait_for(s.client._server.wait(), 60)
    await s.client.stop()
    assert status == 0, status
    print("the session went as it should")


asyncio.run(main())
