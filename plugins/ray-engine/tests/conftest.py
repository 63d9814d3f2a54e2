"""A one-machine cluster for all tests. Without Ray they are skipped."""

from importlib.util import find_spec

import pytest

if find_spec("bvf_ray_engine") is None:
    collect_ignore_glob = ["test_*.py"]

CPUS = 2


@pytest.fixture(scope="session")
def cluster():
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": CPUS, "include_dashboard": False})
    yield made
    made.shutdown()


@pytest.fixture
def other_node(cluster):
    """Start a second node on this machine. It has its own environment variables."""
    nodes = []

    def make(cpus=CPUS, **environment):
        nodes.append(cluster.add_node(num_cpus=cpus, env_vars=environment))
        return nodes[-1]

    yield make
    for node in cluster.worker_nodes & set(nodes):
        cluster.remove_node(node)


@pytest.fixture
def engine(cluster):
    """Make an engine on the cluster."""
    from bvf_ray_engine.engine import RayEngine
    from bvf_ray_engine.options import RayOptions

    return lambda **options: RayEngine(RayOptions(address=cluster.address, **options))
