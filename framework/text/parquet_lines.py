"""Parquet files as JSON lines on standard output: the program runs this with the user's Python to read them.

parquet_lines.py FILE...   status 2: there is no package that reads them; the last line says what is wrong"""
import importlib
import json
import sys


def pyarrow_rows(path):
    file = importlib.import_module("pyarrow.parquet").ParquetFile(path)
    for group in range(file.num_row_groups):
        for batch in file.iter_batches(1000, row_groups=[group]):
            yield from batch.to_pylist()


def polars_rows(path):
    rows, start = importlib.import_module("polars").scan_parquet(path, glob=False), 0
    while len(some := rows.slice(start, 100000).collect()):
        yield from some.iter_rows(named=True)
        start += len(some)


def duckdb_rows(path):
    rows = importlib.import_module("duckdb").execute("SELECT * FROM read_parquet($1)", [path])
    names = [column[0] for column in rows.description]
    while some := rows.fetchmany(1000):
        yield from (dict(zip(names, row)) for row in some)


def pandas_rows(path):
    yield from importlib.import_module("pandas").read_parquet(path, dtype_backend="numpy_nullable").to_dict("records")


READERS = {"pyarrow": pyarrow_rows, "polars": polars_rows, "duckdb": duckdb_rows, "fastparquet": pandas_rows}


def is_there(package):
    try:
        importlib.import_module(package)
        return True
    except ImportError:
        return False


def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    if hasattr(value, "tolist"):
        return value.tolist()
    return None if type(value).__name__ == "NAType" else str(value)


def main(*paths):
    rows_of = next((READERS[name] for name in READERS if is_there(name)), None)
    if rows_of is None:
        print(f"{sys.executable} has none of {', '.join(READERS)}, which read Parquet. Type: {sys.executable} -m pip install "
              "pyarrow; or pip install \"senteval[parquet]\" where senteval came so. SENTEVAL_PYTHON=PATH names another Python")
        sys.exit(2)
    for path in paths:
        try:
            for row in rows_of(path):
                sys.stdout.write(json.dumps(row, ensure_ascii=False, default=plain) + "\n")
        except Exception as problem:  # each package has its own
            reason = (str(problem).splitlines() or [type(problem).__name__])[0]
            print(f"{path} cannot be read as Parquet: {reason}")
            sys.exit(1)


if __name__ == "__main__":
    if sys.path[0] == "":  # a file of the working folder is no package
        del sys.path[0]
    main(*sys.argv[1:])
