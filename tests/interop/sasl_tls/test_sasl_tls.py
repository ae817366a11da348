"""Clients that log in and speak TLS: kcat with PLAIN and SCRAM over SASL_PLAINTEXT and SASL_SSL, openssl's
client with TLS 1.2 and 1.3 and with certificates of its own, clients that speak the wrong one of TLS and
plain text; kafka-python and confluent-kafka where they are installed. All of it replayed."""

import importlib
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from double import Double, check_replays, patient, skip, wait_for  # noqa: E402

MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]
USER = ["--sasl-user", "alice:wonder:land"]


def kcat(double, *arguments, text="", fine=True):
    done = subprocess.run(["kcat", "-b", double.bootstrap, "-q", *arguments], input=text, capture_output=True,
                          text=True, timeout=patient(120))
    assert (done.returncode == 0) == fine, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def login(protocol, mechanism, password="wonder:land"):
    return ["-X", f"security.protocol={protocol}", "-X", f"sasl.mechanisms={mechanism}", "-X",
            "sasl.username=alice", "-X", f"sasl.password={password}"]


def check_login(folder, protocol):
    """Every mechanism writes and reads; a wrong password does not."""
    double = Double(folder, "--brokers", "3", "--security-protocol", protocol, *USER)
    try:
        for mechanism in MECHANISMS:
            flags = login(protocol, mechanism)
            if "SSL" in protocol:
                flags += ["-X", f"ssl.ca.location={double.about['tls_ca']}"]
            topic = "t-" + mechanism
            double.create_topic(topic, 1)
            lines = [f"{mechanism}-{i}" + "x" * 3000 for i in range(200)]
            kcat(double, *flags, "-P", "-t", topic, "-p", "0", text="\n".join(lines) + "\n")
            out = kcat(double, *flags, "-C", "-t", topic, "-p", "0", "-o", "beginning", "-e")
            assert out.splitlines() == lines, out[:300]
            wrong = login(protocol, mechanism, "wander") + flags[8:]
            kcat(double, *wrong, "-L", "-m", "2", fine=False)
            print(f"{protocol} {mechanism}: ok", flush=True)
        refusals = double.call("GET", "/v1/refusals")["refusals"]
        assert refusals and all(r["why"] == "kafka.refused.credentials" for r in refusals), refusals[-3:]
        python_clients(double, protocol)
        double.check_no_finding()
    finally:
        double.stop()
    print("replayed:", check_replays(double.recording)["hash"], flush=True)


def module(name):
    """The module, or None. A folder of that name beside this one is none."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def python_clients(double, protocol):
    ca = double.about.get("tls_ca")
    kafka, admin = module("kafka"), module("confluent_kafka.admin")
    if hasattr(kafka, "KafkaProducer"):
        producer = kafka.KafkaProducer(
            bootstrap_servers=double.bootstrap, security_protocol=protocol, sasl_mechanism="SCRAM-SHA-256",
            sasl_plain_username="alice", sasl_plain_password="wonder:land", ssl_cafile=ca)
        producer.send("t-PLAIN", b"kafka-python").get(30)
        producer.close()
        print("kafka-python: ok", flush=True)
    if admin:
        settings = {"bootstrap.servers": double.bootstrap, "security.protocol": protocol,
                    "sasl.mechanisms": "SCRAM-SHA-512", "sasl.username": "alice", "sasl.password": "wonder:land"}
        if ca:
            settings["ssl.ca.location"] = ca
        client = admin.AdminClient(settings)
        added = admin.UserScramCredentialUpsertion(
            "carol", admin.ScramCredentialInfo(admin.ScramMechanism.SCRAM_SHA_256, 8192), b"secret")
        client.alter_user_scram_credentials([added])["carol"].result(30)
        found = client.describe_user_scram_credentials(["carol"])["carol"].result(30)
        assert [c.iterations for c in found.scram_credential_infos] == [8192], found
        print("confluent-kafka: ok", flush=True)


def s_client(double, *flags):
    return subprocess.run(["openssl", "s_client", "-connect", double.bootstrap.split(",")[0], "-CAfile",
                           double.about["tls_ca"], "-verify_return_error", "-verify_ip", "127.0.0.1", *flags],
                          input="", capture_output=True, text=True, timeout=patient(60))


def handshake(double, with_certificate):
    """What a request gets over TLS: a byte, or an error."""
    context = ssl.create_default_context(cafile=double.about["tls_ca"])
    if with_certificate:
        context.load_cert_chain(double.about["tls_client"])
    host, port = double.bootstrap.split(",")[0].split(":")
    with socket.create_connection((host, int(port)), timeout=patient(30)) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as secure:
            secure.sendall(bytes.fromhex("0000000a" "00120000" "00000001" "ffff"))
            return secure.recv(1)


def check_tls(folder):
    double = Double(folder, "--brokers", "1", "--security-protocol", "SSL", "--tls-client-auth", "required")
    try:
        assert handshake(double, True)
        for version in [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]:
            flag = "-tls1_2" if version == ssl.TLSVersion.TLSv1_2 else "-tls1_3"
            done = s_client(double, flag, "-cert", double.about["tls_client"], "-key", double.about["tls_client"])
            assert done.returncode == 0 and "Verify return code: 0 (ok)" in done.stdout, done.stdout + done.stderr
        try:
            handshake(double, False)
            raise AssertionError("a client without a certificate was served")
        except (ssl.SSLError, ConnectionError):
            pass
        with socket.create_connection(tuple_of(double), timeout=patient(30)) as plain:
            plain.sendall(bytes.fromhex("0000000a" "00120000" "00000001" "ffff"))
            check_closed(plain)
        whys = [r["why"] for r in double.call("GET", "/v1/refusals")["refusals"]]
        assert "gateway.refused.plain_text" in whys, whys
        assert any(why.startswith("gateway.refused.tls") for why in whys), whys
        wait_for(lambda: "plain text to the TLS listener" in open(double.log.name).read())
        double.check_no_finding()
    finally:
        double.stop()
    check_replays(double.recording)
    print("TLS and client certificates: ok", flush=True)


def tuple_of(double):
    host, port = double.bootstrap.split(",")[0].split(":")
    return host, int(port)


def check_closed(plain):
    try:
        assert plain.recv(1) == b""
    except ConnectionError:
        pass


def check_plain(folder):
    double = Double(folder, "--brokers", "1")
    try:
        context = ssl.create_default_context()
        with socket.create_connection(tuple_of(double), timeout=patient(30)) as plain:
            try:
                context.wrap_socket(plain, server_hostname="localhost")
                raise AssertionError("a plaintext listener spoke TLS")
            except (ssl.SSLError, ConnectionError):
                pass
        refusals = double.call("GET", "/v1/refusals")["refusals"]
        assert [r["why"] for r in refusals] == ["kafka.refused.tls"], refusals
        wait_for(lambda: "TLS to the plaintext listener" in open(double.log.name).read())
        double.check_no_finding()
    finally:
        double.stop()
    check_replays(double.recording)
    print("TLS on a plaintext listener: ok", flush=True)


def main():
    for program in ["kcat", "openssl"]:
        if shutil.which(program) is None:
            skip(program + " is not installed")
    checks = [check_plain, check_tls, lambda folder: check_login(folder, "SASL_PLAINTEXT"),
              lambda folder: check_login(folder, "SASL_SSL")]
    for check in checks:
        with tempfile.TemporaryDirectory(prefix="wavetank-interop-") as folder:
            check(folder)


if __name__ == "__main__":
    main()
