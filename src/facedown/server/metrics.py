"""What is measured while the server runs, for Prometheus."""

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from facedown.server.hall import Hall

LATENCIES = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Metrics:
    """The server's figures."""

    def __init__(self, hall: "Hall") -> None:
        self.registry = CollectorRegistry()
        here = self.registry
        self.moves = Histogram(
            "facedown_move_seconds", "From an action's arrival until it is stored and told", buckets=LATENCIES, registry=here
        )
        self.refusals = Counter("facedown_refusals", "Requests and messages refused", ["code"], registry=here)
        self.sockets = Gauge("facedown_sockets", "Open websockets", registry=here)
        Gauge("facedown_tables", "Tables that are not over", registry=here).set_function(lambda: len(hall.tables))
        Gauge("facedown_questions_waiting", "Questions that no thinking worker has begun with", registry=here).set_function(
            lambda: hall.thinkers.waiting
        )

    def text(self) -> bytes:
        """All of them, as Prometheus reads them."""
        return generate_latest(self.registry)
