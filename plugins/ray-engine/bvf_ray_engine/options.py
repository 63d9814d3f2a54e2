"""The options of the engine: which cluster, and which workers on it."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from bvf.domain import Amount, Count, Positive

AUTO = "auto"
LARGEST_PORT = 65535


class RayOptions(BaseModel):
    """Which cluster, how many workers, and what each of them gets."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str = Field(
        default="", description="HOST:PORT of a cluster; auto: the one that this machine is in; empty: starts one here."
    )
    workers: Count = Field(default=0, description="Each loads the model once; 0: as many as there is room for.")
    cpus: Positive = Field(default=1, description="CPUs of each worker, which starts as many threads.")
    gpus: Amount = Field(default=0.0, description="GPUs of each worker; 0.5: two workers share one.")

    @field_validator("address")
    @classmethod
    def _is_address(cls, address: str) -> str:
        if address.startswith("ray://"):
            raise ValueError("Ray Client is not supported: start bvf on a node of the cluster, with address=auto")
        host, _, port = address.rpartition(":")
        if address not in {"", AUTO} and not (host and port.isdecimal() and 0 < int(port) <= LARGEST_PORT):
            raise ValueError("that is not an address; write HOST:PORT, or auto")
        return address

    @field_validator("gpus")
    @classmethod
    def _is_share(cls, gpus: float) -> float:
        if gpus > 1 and gpus != int(gpus):
            raise ValueError("Ray gives out parts of one GPU, or whole ones")
        return gpus
