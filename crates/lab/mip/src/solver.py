# Solves a model with a module of Python and says what came of it, a line each: status, bound, ones, cpu, version.
# Arguments: solver, file, seconds or "none". One thread, and no output but ours.
import signal
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)
solver, path, limit = sys.argv[1:4]
limit = None if limit == "none" else float(limit)


def report(status, bound, ones, started, version):
    print("cpu", time.process_time() - started)
    print("version", version)
    print("bound", bound)
    if ones is not None:
        print("ones", *ones)
    print("status", status, flush=True)


def highs():
    import highspy

    started = time.process_time()
    h = highspy.Highs()
    h.setOptionValue("output_flag", False)
    h.setOptionValue("threads", 1)
    if limit is not None:
        h.setOptionValue("time_limit", limit)
    h.readOptions("options")
    h.readModel(path)
    h.run()
    word = highspy.HighsModelStatus
    names = {word.kOptimal: "optimal", word.kInfeasible: "infeasible", word.kTimeLimit: "time-limit"}
    status = names.get(h.getModelStatus(), str(h.getModelStatus()))
    info = h.getInfo()
    ones = None
    if info.primal_solution_status == 2:
        values = zip(h.getLp().col_names_, h.getSolution().col_value)
        ones = [name for name, value in values if value > 0.5]
    # A linear programme has no bound but its value.
    is_whole = highspy.HighsVarType.kInteger in h.getLp().integrality_
    bound = info.mip_dual_bound if is_whole else info.objective_function_value
    report(status, bound, ones, started, h.version())


def scip():
    import pyscipopt

    started = time.process_time()
    m = pyscipopt.Model()
    m.hideOutput()
    if limit is not None:
        m.setParam("limits/time", limit)
    m.readProblem(path)
    m.optimize()
    status = {"timelimit": "time-limit"}.get(m.getStatus(), m.getStatus())
    ones = None
    if m.getNSols() > 0:
        best = m.getBestSol()
        ones = [v.name for v in m.getVars() if m.getSolVal(best, v) > 0.5]
    version = "%d.%d.%d" % (m.getMajorVersion(), m.getMinorVersion(), m.getTechVersion())
    report(status, m.getDualbound(), ones, started, version)


def cp_sat():
    import ortools
    from ortools.sat.python import cp_model

    started = time.process_time()
    m = cp_model.CpModel()
    x = []

    def terms(words):
        return [int(c) for c in words[::2]], [x[int(v[1:]) - 1] for v in words[1::2]]

    for line in open(path):
        words = line.replace(";", " ").split()
        if words[0] == "*":
            if words[1] == "#variable=":
                x = [m.new_bool_var("") for _ in range(int(words[2]))]
        elif words[0] == "min:":
            c, v = terms(words[1:])
            m.minimize(cp_model.LinearExpr.weighted_sum(v, c))
        else:
            (c, v), bound = terms(words[:-2]), int(words[-1])
            if words[-2] == "=":
                m.add(cp_model.LinearExpr.weighted_sum(v, c) == bound)
            elif all(k == -1 for k in c) and bound == 1 - len(c):
                m.add_bool_or([~k for k in v])
            else:
                m.add(cp_model.LinearExpr.weighted_sum(v, c) >= bound)
    s = cp_model.CpSolver()
    s.parameters.num_workers = 1
    # With one worker the linear relaxation is half left out unless asked for: 0.3 s instead of minutes on 10x10.
    s.parameters.linearization_level = 2
    if limit is not None:
        s.parameters.max_time_in_seconds = limit
    code = s.solve(m)
    names = {cp_model.OPTIMAL: "optimal", cp_model.INFEASIBLE: "infeasible"}
    status = names.get(code, "time-limit" if code in (cp_model.FEASIBLE, cp_model.UNKNOWN) else s.status_name(code))
    ones = None
    if code in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        ones = [i + 1 for i, v in enumerate(x) if s.boolean_value(v)]
        # A question without an objective is answered by any board.
    report(status, -s.best_objective_bound, ones, started, ortools.__version__)


{"highs": highs, "scip": scip, "cp-sat": cp_sat}[solver]()
