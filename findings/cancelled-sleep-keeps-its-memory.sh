#!/usr/bin/env bash
# Swift on Linux keeps a sleep that was cancelled until it would have ended.
#
# Expected: `Task.sleep` returns at once when its task is cancelled, and with the task go the timer and what belongs to it.
# Seen: the call returns at once. The timer of libdispatch stays, and with it the job and the bookkeeping of the sleep: 600 bytes and
# more for each sleep, for as long as the sleep was to take. 20,000 cancelled sleeps of two seconds are gone after two seconds, and as
# many of an hour stay.
# Who is hurt: an app that writes a timeout as a race between work and a sleep. Each call that ends in time leaves its timeout behind: at
# 1,000 calls a second and a limit of a minute, 60,000 timers.
# Errand: one task sleeps for all limits of a dispatcher (`TimeLimits`), so a dropped client leaves one or two.
# Seen on 2026-11-29, Swift 6.3.1 on Linux, x86_64.
set -euo pipefail
source "$(dirname "$0")/support.bash"

swift --version 2>/dev/null | grep -o 'Swift version [0-9.]*'

cat >"$work/sleeps.swift" <<'SWIFT'
import Glibc

/// The bytes that are allocated and not freed, by mallinfo(3).
func used() -> Int {
    typealias Report = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer
    let report = unsafeBitCast(dlsym(nil, "mallinfo2")!, to: Report.self)
    var numbers = [Int](repeating: 0, count: 10)
    _ = report(&numbers)
    return numbers[4] + numbers[7]
}

let count = 20_000

/// Sleeps and is cancelled, so many times.
func round(_ seconds: Int) async {
    for _ in 0..<count / 100 {
        let tasks = (0..<100).map { _ in Task { try? await Task.sleep(for: .seconds(seconds)) } }
        await Task.yield()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

@main struct Sleeps {
    static func main() async throws {
        // Threads and pools are there afterwards.
        await round(1)
        try await Task.sleep(for: .seconds(3))
        for seconds in [2, 3_600] {
            let before = used()
            await round(seconds)
            let atOnce = (used() - before) / count
            try await Task.sleep(for: .seconds(5))
            let later = (used() - before) / count
            print("cancelled sleeps of \(seconds) s: kept at once \(atOnce > 400), kept five seconds later \(later > 400)")
        }
    }
}
SWIFT
swiftc -O -parse-as-library -swift-version 6 "$work/sleeps.swift" -o "$work/sleeps"
"$work/sleeps" >"$work/seen"
compare "$work/seen" <<'SEEN'
cancelled sleeps of 2 s: kept at once true, kept five seconds later false
cancelled sleeps of 3600 s: kept at once true, kept five seconds later true
SEEN
