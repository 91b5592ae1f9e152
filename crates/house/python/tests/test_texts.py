"""What is written of the module holds: the stubs, the help, the README."""

import ast
import inspect
import pathlib
import re

import ishi

HERE = pathlib.Path(__file__).parents[1]


def public(names):
    return {name for name in names if not name.startswith("_")}


def stub():
    return ast.parse((HERE / "ishi.pyi").read_text(encoding="utf-8"))


def test_stubs_name_what_there_is():
    classes = {node.name: node for node in stub().body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub().body if isinstance(node, ast.FunctionDef)}
    things = {name: getattr(ishi, name) for name in public(dir(ishi)) if name != "ishi"}
    assert functions == {name for name, thing in things.items() if not inspect.isclass(thing)}
    assert set(classes) - {"_State", "_Batch"} == {name for name, thing in things.items() if inspect.isclass(thing)}
    for name, node in classes.items():
        if name not in things:
            continue
        members = stub_members(node, classes)
        assert members == public(vars(things[name])), name


def stub_members(node, classes):
    own = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    inherited = [stub_members(classes[base.id], classes) for base in node.bases if base.id in classes]
    return public(own.union(*inherited))


def test_everything_has_help():
    for name in public(dir(ishi)):
        thing = getattr(ishi, name)
        if name == "ishi":
            continue
        assert thing.__doc__, name
        if inspect.isclass(thing):
            for member in public(vars(thing)):
                assert getattr(thing, member).__doc__, f"{name}.{member}"


def run_blocks(page):
    """Runs all blocks of Python on a page in one go, as a reader would paste them; gives how many there are."""
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    for block in blocks:
        exec(block, names)
    return len(blocks)


def test_the_readme_runs():
    assert run_blocks(HERE / "README.md") > 5


def test_the_guide_runs():
    guide = HERE.parents[2] / "guide"
    assert run_blocks(guide / "src" / "python.md") > 4
    assert run_blocks(guide / "ja" / "src" / "python.md") > 4
