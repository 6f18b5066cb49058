import Foundation
import Testing

/// The bugs of `Tests/Mutations` fit the code that they are planted into, so that a change that moves it says so in seconds and
/// not when they are planted.
@Suite struct PlantedBugTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../..")

    /// The texts between two marks of a bug's file.
    private static func finds(in bug: String) -> [String] {
        bug.components(separatedBy: "--- find\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n--- replace").first
        }
    }

    private static func field(_ name: String, of bug: String) -> String? {
        bug.split(separator: "\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    @Test func everyBugFitsTheCode() throws {
        let folder = SourceTree.root.appendingPathComponent("Tests/Mutations")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".mutation")
        }
        #expect(names.count > 50, "the bugs are found")
        for name in names.sorted() {
            let bug = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let path = try #require(Self.field("file", of: bug), "\(name) names no file")
            let code = try String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)
            let finds = Self.finds(in: bug)
            #expect(!finds.isEmpty, "\(name) looks for nothing")
            for find in finds {
                let count = code.components(separatedBy: find).count - 1
                #expect(count == 1, "\(name): its code occurs \(count) times in \(path)")
            }
        }
    }

    /// The test targets of the copy that bugs are planted into. A test of another target would never run there.
    private static func copiedTargets() throws -> [String] {
        let script = try String(
            contentsOf: SourceTree.root.appendingPathComponent("scripts/copy-runtime"), encoding: .utf8)
        let call = try #require(
            script.firstMatch(of: /scripts\/reduced-manifest ((?:\w+Tests ?)+)/), "the script names targets")
        return call.1.split(separator: " ").map(String.init)
    }

    @Test func everyBugHasTestsThatThereAre() throws {
        var tests: Set<String> = []
        for target in try Self.copiedTargets() {
            for file in try SourceTree.swiftFiles(below: "Tests/\(target)") {
                for match in file.text.matches(of: /func (\w+)[<(]/) {
                    tests.insert(String(match.1))
                }
            }
        }
        #expect(!tests.isEmpty)
        let folder = SourceTree.root.appendingPathComponent("Tests/Mutations")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".mutation") {
            let bug = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let named = try #require(Self.field("tests", of: bug)).split(separator: " ").map(String.init)
            #expect(!named.isEmpty, "\(name) names no test")
            for test in named { #expect(tests.contains(test), "\(name): there is no test \(test)") }
        }
    }
}
