"""The few requests that the driver makes itself, written by hand: no client's code is in the way."""

import socket
import struct


def text(value):
    return struct.pack(">h", len(value)) + value.encode()


def call(address, key, version, body):
    """Sends one request with a version 1 header on its own connection; the answer's body, or None when closed."""
    host, port = address.rsplit(":", 1)
    request = struct.pack(">hhi", key, version, 7) + text("interop") + body
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(struct.pack(">i", len(request)) + request)
        answer = b""
        while len(answer) < 4 or len(answer) < 4 + struct.unpack(">i", answer[:4])[0]:
            more = connection.recv(65536)
            if not more:
                return None
            answer += more
    return answer[8:]


def api_keys(address):
    """The keys that ApiVersions version 0 lists."""
    answer = call(address, 18, 0, b"")
    count = struct.unpack(">i", answer[2:6])[0]
    return {struct.unpack(">hhh", answer[6 + 6 * i:][:6])[0] for i in range(count)}


def find_coordinator(address, group):
    """The id of the group's coordinator, or None while there is none."""
    answer = call(address, 10, 1, text(group) + b"\0")
    if answer is None:
        return None
    error, length = struct.unpack(">hh", answer[4:8])
    return struct.unpack(">i", answer[8 + max(0, length):][:4])[0] if error == 0 else None


def create_topic(address, name, partitions, replicas):
    body = struct.pack(">i", 1) + text(name) + struct.pack(">ihii", partitions, replicas, 0, 0)
    answer = call(address, 19, 2, body + struct.pack(">ib", 20000, 0))
    error = struct.unpack(">h", answer[8 + 2 + len(name):][:2])[0]
    if error:
        raise AssertionError(f"CreateTopics {name}: error {error}")


def init_producer_id(address):
    """The error code of an InitProducerId without a transaction."""
    answer = call(address, 22, 0, struct.pack(">hi", -1, 60000))
    return struct.unpack(">h", answer[4:6])[0]
