// swift-format-ignore-file
// https://developer.apple.com/documentation/cryptokit/hashfunction
// https://developer.apple.com/documentation/cryptokit/hmac
public import Foundation

public protocol Digest: Hashable, Sequence, Sendable where Element == UInt8 {
    static var byteCount: Int { get }
}

public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}
extension HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> Digest { Self().finalize() }
    public mutating func update<D: DataProtocol>(data: D) {}
}

public struct SHA256Digest: Digest {
    public static var byteCount: Int { 32 }
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
public struct SHA256: HashFunction {
    public typealias Digest = SHA256Digest
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct SHA512Digest: Digest {
    public static var byteCount: Int { 64 }
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
public struct SHA512: HashFunction {
    public typealias Digest = SHA512Digest
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA512Digest { SHA512Digest() }
}

public enum Insecure {
    public struct SHA1Digest: Digest {
        public static var byteCount: Int { 20 }
        public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    }
    public struct SHA1: HashFunction {
        public typealias Digest = SHA1Digest
        public init() {}
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
        public func finalize() -> SHA1Digest { SHA1Digest() }
    }
    public struct MD5Digest: Digest {
        public static var byteCount: Int { 16 }
        public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    }
    public struct MD5: HashFunction {
        public typealias Digest = MD5Digest
        public init() {}
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
        public func finalize() -> MD5Digest { MD5Digest() }
    }
}

public struct SymmetricKey: Sendable {
    public init<D: ContiguousBytes>(data: D) {}
}

public struct HashedAuthenticationCode<H: HashFunction>: Hashable, Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct HMAC<H: HashFunction>: Sendable {
    public typealias MAC = HashedAuthenticationCode<H>
    public init(key: SymmetricKey) {}
    public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC { MAC() }
}
