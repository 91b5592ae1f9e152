"""What is written of the module holds: the stubs, the help, the README."""

import ast
import inspect
import pathlib
import re
import sys

import pytest

import ishi

HERE = pathlib.Path(__file__).parents[1]

knows_parameters = pytest.mark.skipif(sys.version_info < (3, 10), reason="Python 3.9 does not know the parameters of classes")


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


def stub_parameters(function):
    """Name, kind and default of each parameter as the stubs have them."""
    given = function.args
    places = [one.arg for one in given.args if one.arg != "self"]
    defaults = [None] * (len(places) - len(given.defaults)) + given.defaults
    names = [one.arg for one in given.kwonlyargs]
    rows = [(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default) for name, default in zip(places, defaults)]
    rows += [(name, inspect.Parameter.KEYWORD_ONLY, default) for name, default in zip(names, given.kw_defaults)]
    return [(name, kind, inspect.Parameter.empty if default is None else ast.literal_eval(default)) for name, kind, default in rows]


def module_parameters(thing):
    """The same as the module has them, which is what `help` shows."""
    given = inspect.signature(thing).parameters.values()
    return [(one.name, one.kind, one.default) for one in given if one.name != "self"]


def is_default_of(told, there):
    # The module shows no tuples and no lists: there is a default, and no more is known.
    return told is not inspect.Parameter.empty if there is ... else told == there


def has_these_parameters(function, thing):
    told, there = stub_parameters(function), module_parameters(thing)
    same = [one[:2] for one in told] == [one[:2] for one in there]
    return same and all(is_default_of(one[2], other[2]) for one, other in zip(told, there))


def stub_functions(node, classes):
    """The functions of a class and of those that it is made of, but for properties, and for those that take arguments in several ways."""
    for base in node.bases:
        if base.id in classes:
            yield from stub_functions(classes[base.id], classes)
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and not {"property", "overload"} & {ast.unparse(mark) for mark in one.decorator_list}:
            yield one


def stub_callables():
    """All that the stubs say can be called: name, what the stubs say of it, and the thing itself."""
    classes = {node.name: node for node in stub().body if isinstance(node, ast.ClassDef)}
    for node in stub().body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, getattr(ishi, node.name)
    for name, node in classes.items():
        thing = None if name.startswith("_") else getattr(ishi, name)
        for function in stub_functions(node, classes) if thing else ():
            if function.name == "__init__":
                yield name, function, thing
            elif not function.name.startswith("_"):
                yield f"{name}.{function.name}", function, getattr(thing, function.name)


@knows_parameters
def test_stubs_have_the_parameters_that_there_are():
    callables = list(stub_callables())
    assert len(callables) > 80
    wrong = [name for name, function, thing in callables if not has_these_parameters(function, thing)]
    assert not wrong


def test_everything_has_help():
    for name in public(dir(ishi)):
        thing = getattr(ishi, name)
        if name == "ishi":
            continue
        assert thing.__doc__, name
        if inspect.isclass(thing):
            for member in public(vars(thing)):
                assert getattr(thing, member).__doc__, f"{name}.{member}"


@knows_parameters
def test_help_says_what_is_raised():
    """A type that is wrong is Python's own TypeError, which needs no words. All else that can be wrong is told."""
    for name, _, thing in stub_callables():
        if module_parameters(thing) and name != "NTupleLearner.move_values":
            assert "Error" in thing.__doc__, name


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
