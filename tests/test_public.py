import ast
import re
import subprocess
import sys
from pathlib import Path

import facedown as fd
from facedown.arena.run_identity import plays

PACKAGE = Path(fd.__file__).parent

# The rooms of the house, from the ground up: each may import only itself and those named before it.
ROOMS = {
    "ground": "errors options files rng cards kernel kernel_cache rules rewards compiler table",
    "worlds": "worlds",
    "door": "limits elsewhere notation view state game record",  # what a game's author and a user hold in their hands
    "games": "games",
    "search": "search",
    "inference": "inference",
    "agents": "agents",
    "stats": "stats",
    "store": "store",
    "arena": "arena",
    "audit": "audit",
    "advisor": "advisor",
    "training": "training",
    "analysis": "analysis",
    "lab": "lab",
    "adapters": "adapters",
    "server": "server",
    "client": "client",
    "terminal": "terminal",
    "cli": "cli __main__",
}
ROOM_OF = {name: room for room, names in ROOMS.items() for name in names.split()}
FLOOR = {room: floor for floor, room in enumerate(ROOMS)}
PLAYING = [room for room in ROOMS if FLOOR[room] <= FLOOR["agents"]]


def module_of(source: Path) -> str:
    """The name of a file's module, without the package's."""
    return ".".join(source.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(source): source for source in PACKAGE.rglob("*.py") if source != PACKAGE / "__init__.py"}


def modules_imported(source: Path) -> set[str]:
    """The package's own modules that a file imports at its top level."""
    found: set[str] = set()
    for node in ast.parse(source.read_text()).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "facedown":
            home = (node.module or "").removeprefix("facedown").removeprefix(".")
            for alias in node.names:
                longer = f"{home}.{alias.name}".removeprefix(".")
                found.add(longer if longer in MODULES else home)
    return found - {""}


def test_every_module_is_in_a_room() -> None:
    assert {name.split(".")[0] for name in MODULES} == set(ROOM_OF)


def test_arrows_between_rooms_point_one_way() -> None:
    for name, source in MODULES.items():
        for imported in modules_imported(source):
            here, there = (ROOM_OF[module.split(".")[0]] for module in (name, imported))
            assert FLOOR[there] <= FLOOR[here], f"{name}, of the room {here}, imports {imported}, of {there} above it"


def test_no_module_imports_itself_by_way_of_others() -> None:
    left = {name: modules_imported(source) for name, source in MODULES.items()}
    while ready := [name for name, imported in left.items() if not imported & left.keys()]:
        for name in ready:
            del left[name]
    assert not left


def test_the_rooms_up_to_the_agents_identify_a_run() -> None:
    files = {name.split(".")[0]: source.relative_to(PACKAGE) for name, source in MODULES.items()}
    assert {ROOM_OF[name] for name, file in files.items() if plays(file) and name != "__main__"} == set(PLAYING)
    assert {ROOM_OF[name] for name, file in files.items() if not plays(file)}.isdisjoint(PLAYING)


def test_what_plays_does_not_ask_what_looks_on() -> None:
    """Or a change of the latter would change games of a run that is resumed (arena.run_identity)."""
    for name, source in MODULES.items():
        if ROOM_OF[name.split(".")[0]] in PLAYING:
            found = re.findall(r"^ *(?:from|import) facedown\.(\w+)", source.read_text(), re.MULTILINE)
            assert all(FLOOR[ROOM_OF[module]] <= FLOOR["agents"] for module in found), name


def test_a_kernel_has_at_most_six_parameters() -> None:
    for name, source in MODULES.items():
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.FunctionDef) and any(
                ast.unparse(one) in ("kernel", "door") for one in node.decorator_list
            ):
                assert len(node.args.args) <= 6, f"{name}.{node.name}"


def test_search_names_no_game() -> None:
    for source in (PACKAGE / "search").rglob("*.py"):
        assert not any(name in source.read_text().lower() for name in fd.games()), source


def test_public_names_are_sorted_and_all_there() -> None:
    assert fd.__all__ == sorted(fd.__all__)
    for name in fd.__all__:
        assert getattr(getattr(fd, name), "__name__", repr(getattr(fd, name))) == name


def test_type_checkers_are_told_the_same_names() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    told = {(alias.asname, node.module) for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert told == {(name, f"facedown.{module}") for name, module in fd._HOMES.items()}


def test_a_submodule_never_takes_the_place_of_a_public_name() -> None:
    script = (
        "import facedown.games, facedown.kernel, facedown.agents, facedown as fd; print(fd.games(), fd.agents(), fd.kernel)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("['bisca', 'cheat', 'hearts', 'hearts32', 'magic', 'sueca'] ['best', 'cheat-person', ")


def test_importing_the_package_does_not_import_the_compiler() -> None:
    script = "import sys, facedown; assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_store_is_read_and_written_without_the_compiler() -> None:
    script = "import sys; from facedown.store import Store, query; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)
