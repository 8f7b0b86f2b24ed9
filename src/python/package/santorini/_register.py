"""Registers the environment with Gymnasium, if installed."""


def register() -> None:
    try:
        from gymnasium.envs import registration
    except ImportError:
        return
    if "Santorini-v0" not in registration.registry:
        registration.register(
            id="Santorini-v0",
            entry_point="santorini.gymnasium_v0:SantoriniEnv",
            vector_entry_point="santorini.gymnasium_v0:SantoriniVectorEnv",
        )
