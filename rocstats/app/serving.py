"""The server of the app: where it listens, what it prints, and how it ends."""

from __future__ import annotations

import signal
import socket
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from rocstats.app.private_folder import private_folder
from rocstats.app.sessions import Sessions, Settings
from rocstats.errors import InvalidOptionError, named, require_library

__all__ = ["serve"]

_ANY = ("0.0.0.0", "::", "*", "")
_QUEUE = 128


def serve(settings: Settings, *, browser: bool) -> None:
    """Serve the app until it is interrupted; print its address, and open it in a browser."""
    for library in ("starlette", "uvicorn", "python_multipart"):
        require_library(library, "The app", "app")
    import uvicorn

    from rocstats.app.web_app import make_app

    if settings.host in _ANY:
        raise InvalidOptionError(
            f"{named('host')} must be the one address that browsers will use, as 127.0.0.1 or the "
            f"name of this machine, got {settings.host!r}."
        )
    with (
        suppress(KeyboardInterrupt),
        _heard_by(_interrupt),
        _listening(settings) as listener,
        private_folder() as folder,
    ):
        settings = replace(settings, port=listener.getsockname()[1])
        app = make_app(folder, settings)
        sessions: Sessions = app.state.sessions
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="critical",
            access_log=False,  # addresses hold the token
            server_header=False,
            date_header=False,
            proxy_headers=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        tempfile.tempdir = str(folder)  # where a half-uploaded file lies
        try:
            with _heard_by(server.handle_exit):
                print(f"{settings.address}?token={sessions.token}", flush=True)
                if browser:
                    address = f"{settings.address}?token={sessions.ticket()}"
                    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
                server.run(sockets=[listener])
        finally:
            tempfile.tempdir = None
            sessions.end()


@contextmanager
def _heard_by(handler: Callable[..., None]) -> Iterator[None]:
    """Let Ctrl-C, a request to end, and a terminal that is closed, be heard alike.

    uvicorn raises the signal that ended it again, for whoever listened before.
    """
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), handler) for name in names}
    try:
        yield
    finally:
        for name, former in before.items():
            signal.signal(getattr(signal, name), former)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _listening(settings: Settings) -> socket.socket:
    """Return the socket; a port that is taken is refused in a sentence."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((settings.host, settings.port))
        made.listen(_QUEUE)
    except (OSError, OverflowError) as reason:
        made.close()
        why = getattr(reason, "strerror", None) or reason
        raise InvalidOptionError(
            f"The app cannot listen at {settings.host}, port {settings.port}: {why}; choose "
            f"another {named('port')}, or leave it out."
        ) from None
    return made
