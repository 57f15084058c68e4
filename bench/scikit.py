"""scikit-learn for bench/sklearn.R, which starts this and asks by a socket, a line each time.

python3 scikit.py PORT FOLDER ROWS COLUMNS: the data are FOLDER/x.bin, doubles, row by row. Each answer is a
line, the seconds of the fit and a figure; points (centers, coordinates) go to FOLDER/points.bin.
"""

import socket
import sys
import time

import numpy as np
import scipy
import sklearn
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.kernel_approximation import Nystroem
from sklearn.manifold import SpectralEmbedding
from threadpoolctl import threadpool_info

port, folder, rows, columns = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
x = np.fromfile(folder + "/x.bin").reshape(rows, columns)
single = None


def data(precision):
    """The data in double or single precision; the conversion is not timed."""
    global single
    if precision == "double":
        return x
    if single is None:
        single = x.astype(np.float32)
    return single


def timed(run):
    start = time.perf_counter()
    out = run()
    return time.perf_counter() - start, out


def keep(points):
    np.ascontiguousarray(points, dtype=np.float64).tofile(folder + "/points.bin")


def kmeans(seed, precision, n, iterations):
    """Centers by Lloyd's iterations from one k-means++ start. The figure is the number of iterations."""
    way = KMeans(int(n), n_init=1, max_iter=int(iterations), algorithm="lloyd", random_state=int(seed))
    given = data(precision)
    seconds, _ = timed(lambda: way.fit(given))
    keep(way.cluster_centers_)
    return seconds, way.n_iter_


def minibatch(seed, precision, n, passes):
    """Centers by batches of 1,000 rows, without the labels of all rows; it stops early by its own rule."""
    way = MiniBatchKMeans(
        int(n), batch_size=1000, n_init=3, max_iter=int(passes), compute_labels=False, random_state=int(seed)
    )
    given = data(precision)
    seconds, _ = timed(lambda: way.fit(given))
    keep(way.cluster_centers_)
    return seconds, way.n_steps_


def nystroem(seed, precision, n, gamma):
    """Features W by random rows. The figure is the share of the kernel's trace that W W' leaves."""
    way = Nystroem(kernel="rbf", gamma=float(gamma), n_components=int(n), random_state=int(seed))
    given = data(precision)
    seconds, w = timed(lambda: way.fit(given).transform(given))
    return seconds, 1 - np.sum(w.astype(np.float64) ** 2) / rows


def spectral(seed, precision, part, neighbors):
    """Two coordinates of the first rows by their nearest neighbors."""
    way = SpectralEmbedding(
        2, affinity="nearest_neighbors", n_neighbors=int(neighbors), random_state=int(seed), n_jobs=2
    )
    given = data(precision)[: int(part)]
    seconds, y = timed(lambda: way.fit_transform(given))
    keep(y)
    return seconds, 0


def about():
    """Versions, and what BLAS with which kernels and how many threads."""
    libraries = threadpool_info()
    blas = [
        f"{one['internal_api']} {one['version']} with {one['num_threads']} threads, "
        f"kernels for {one.get('architecture')}"
        for one in libraries
        if one["user_api"] == "blas"
    ]
    threads = [str(one["num_threads"]) for one in libraries if one["user_api"] == "openmp"]
    return (
        f"scikit-learn {sklearn.__version__}; numpy {np.__version__}; scipy {scipy.__version__}; "
        f"{', '.join(blas) or 'reference BLAS'}; OpenMP with {', '.join(threads) or 'one'} threads"
    )


ways = {"kmeans": kmeans, "minibatch": minibatch, "nystroem": nystroem, "spectral": spectral}
with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rw") as lines:
    for line in lines:
        name, *arguments = line.split()
        if name == "about":
            answer = about()
        else:
            answer = "%.6f %.10g" % ways[name](*arguments)
        lines.write(answer + "\n")
        lines.flush()
