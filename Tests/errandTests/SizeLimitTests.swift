import Foundation
import Testing

/// How large the input of a run may be, and how to allow more.
@Suite struct SizeLimitTests {
    private static func contract(_ service: String = "Shop", endpoints: Int) -> String {
        "errand: 1\nservice: \(service)\nservers: {main: https://shop.example}\ndefaults: {timeout: 10s}\nendpoints:\n"
            + (0..<endpoints).map { "  getItem\($0): {get: /items/\($0), response: string}\n" }.joined()
    }

    /// A file with a hole, which takes no room on the disk.
    private static func makeLarge(_ name: String, megabytes: UInt64, in folder: ProjectFolder) throws {
        try folder.write("", to: name)
        let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent(name))
        try handle.truncate(atOffset: megabytes << 20)
        try handle.close()
    }

    @Test func aFileHasALimit() throws {
        let folder = try ProjectFolder()
        try Self.makeLarge("large.contract.yaml", megabytes: 9, in: folder)
        let path = "large.contract.yaml"
        for command in [
            ["lint", path], ["generate", path], ["export", "openapi", path], ["lint", "--baseline", path],
        ] {
            let run = try CommandRun(command, in: folder.url)
            let text = run.output + run.complaints
            #expect(
                run.status != 0 && text.contains("larger than 8 MiB") && text.contains("[file-too-large]"), "\(text)")
            #expect(text.contains("--max-file-size"), "\(text)")
        }
        let document = try CommandRun(["import", "openapi", path, "--max-file-size", "4"], in: folder.url)
        #expect(document.status == 2 && document.complaints.contains("larger than 8 MiB"), "\(document.complaints)")
    }

    @Test func theLimitOfAFileHasASetting() throws {
        let folder = try ProjectFolder()
        let path = "shop.contract.yaml"
        try folder.write(
            Self.contract(endpoints: 1) + String(repeating: "# a comment of some length\n", count: 50_000), to: path)
        for (settings, options, isRefused) in [
            ("access: public", ["--max-file-size", "1"], true), ("limits: {file-size: 1}", [], true),
            ("limits: {file-size: 1}", ["--max-file-size", "2"], false), ("limits: {file-size: 2}", [], false),
            ("limits: {file-size: 2}", ["--max-file-size", "1"], true),
        ] {
            try folder.write(settings + "\n", to: "errand.yaml")
            let run = try CommandRun(["lint", path] + options, in: folder.url)
            #expect(run.output.contains("larger than 1 MiB") == isRefused, "\(settings) \(options): \(run.output)")
            #expect(run.status == (isRefused ? 1 : 0), "\(run.output)")
        }
    }

    @Test func allFilesTogetherHaveALimit() throws {
        let folder = try ProjectFolder()
        let filler = String(repeating: "# comment of some length\n", count: 36_000)
        for number in 0..<3 {
            try folder.write(
                Self.contract("Shop\(number)", endpoints: 1) + filler, to: "contracts/shop\(number).contract.yaml")
        }
        let run = try CommandRun(["lint", "--max-file-size", "1"], in: folder.url)
        #expect(run.status == 1 && run.output.contains("more than 2 MiB together"), "\(run.output)")
        #expect(try CommandRun(["lint"], in: folder.url).status == 0)
    }

    @Test func settingsAndTemplatesAreSmall() throws {
        let folder = try ProjectFolder()
        try folder.write(Self.contract(endpoints: 1), to: "contracts/shop.contract.yaml")
        try Self.makeLarge("errand.yaml", megabytes: 2, in: folder)
        let settings = try CommandRun(["lint", "--max-file-size", "100"], in: folder.url)
        #expect(settings.status == 2 && settings.complaints.contains("larger than 1 MiB"), "\(settings.complaints)")
        try folder.write("templates: mine\n", to: "errand.yaml")
        try Self.makeLarge("mine/structure.mustache", megabytes: 2, in: folder)
        let templates = try CommandRun(["generate"], in: folder.url)
        #expect(templates.status == 2 && templates.complaints.contains("larger than 1 MiB"), "\(templates.complaints)")
    }

    @Test func endpointsHaveALimit() throws {
        let folder = try ProjectFolder()
        for service in ["A", "B"] {
            try folder.write(Self.contract(service, endpoints: 6), to: "contracts/\(service).contract.yaml")
        }
        #expect(try CommandRun(["lint"], in: folder.url).status == 0)
        let run = try CommandRun(["lint", "--max-endpoints", "10"], in: folder.url)
        #expect(run.status == 1 && run.output.contains("[too-many-endpoints]"), "\(run.output)")
        #expect(
            run.output.contains(
                "contracts/B.contract.yaml:5:1: error: this contract has 6 endpoints, and the contracts before it 6"),
            "\(run.output)")
        #expect(try CommandRun(["lint", "--max-endpoints", "12"], in: folder.url).status == 0)
        try folder.write("limits: {endpoints: 5}\n", to: "errand.yaml")
        for command in [
            ["lint"], ["generate"], ["explain", "getItem1"], ["export", "openapi", "contracts/A.contract.yaml"],
        ] {
            let run = try CommandRun(command, in: folder.url)
            #expect((run.output + run.complaints).contains("[too-many-endpoints]"), "\(run.output)\(run.complaints)")
        }
        try folder.write(Self.contract(endpoints: 50_001), to: "contracts/A.contract.yaml")
        try folder.write("access: public\n", to: "errand.yaml")
        let usual = try CommandRun(["lint"], in: folder.url)
        #expect(usual.status == 1 && usual.output.contains("more than 50000"), "\(usual.output)")
    }

    /// A stranger's settings cannot lift the limits.
    @Test(arguments: [
        "{file-size: 33}", "{endpoints: 200001}", "{endpoints: 0}", "{endpoints: many}", "{file-size: -1}",
    ])
    func theSettingsHaveALimit(_ limits: String) throws {
        let folder = try ProjectFolder()
        try folder.write(Self.contract(endpoints: 1), to: "contracts/shop.contract.yaml")
        try folder.write("limits: \(limits)\n", to: "errand.yaml")
        let run = try CommandRun(["lint"], in: folder.url)
        #expect(run.status == 2 && run.complaints.contains("[unknown-value]"), "\(run.complaints)")
        #expect(run.complaints.contains("--max-"), "\(run.complaints)")
    }

    @Test(arguments: [
        ["--max-file-size", "0"], ["--max-file-size", "513"], ["--max-endpoints", "0"], ["--allow-folder", ""],
    ])
    func theOptionsAreChecked(_ options: [String]) throws {
        let folder = try ProjectFolder()
        let run = try CommandRun(["lint"] + options, in: folder.url)
        #expect(run.status == 2 && run.complaints.contains(options[0]), "\(run.complaints)")
    }
}
