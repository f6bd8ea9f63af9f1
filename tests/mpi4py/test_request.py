# SPDX-License-Identifier: BSD-3-Clause
"""Completion of requests, their statuses, persistent and generalized requests."""
import numpy as np
from mpi4py import MPI

from support import VERSION, Case, CommCase, duplicate, each

COMPLETIONS = ["Wait", "Test", "Waitall", "Testall", "Waitany", "Testany", "Waitsome",
               "Testsome"]


class Completion(CommCase):
    """Eight messages around the ring, completed in every way."""

    make = staticmethod(duplicate)
    number = 8

    def start(self):
        self.received = [np.full(2, -1) for _ in range(self.number)]
        requests = [self.comm.Irecv(buffer, self.left, tag)
                    for tag, buffer in enumerate(self.received)]
        for tag in reversed(range(self.number)):
            self.comm.Send(np.array([tag, self.rank]), self.right, tag)
        return requests

    def check(self, requests, statuses):
        for tag in range(self.number):
            self.assertArray(self.received[tag], [tag, self.left])
            self.assertEqual((statuses[tag].source, statuses[tag].tag), (self.left, tag))
            self.assertEqual(statuses[tag].Get_count(MPI.LONG), 2)
            self.assertFalse(statuses[tag].Is_cancelled())
        self.assertEqual(requests, [MPI.REQUEST_NULL] * self.number)

    @each(*COMPLETIONS)
    def test_complete(self, name):
        requests = self.start()
        statuses = [MPI.Status() for _ in requests]
        getattr(self, "complete_" + name)(requests, statuses)
        self.check(requests, statuses)

    def complete_Wait(self, requests, statuses):
        for request, status in zip(requests, statuses):
            self.assertTrue(request.Wait(status))

    def complete_Test(self, requests, statuses):
        for request, status in zip(requests, statuses):
            while not request.Test(status):
                pass

    def complete_Waitall(self, requests, statuses):
        self.assertTrue(MPI.Request.Waitall(requests, statuses))

    def complete_Testall(self, requests, statuses):
        while not MPI.Request.Testall(requests, statuses):
            pass

    def complete_Waitany(self, requests, statuses):
        seen = set()
        for _ in requests:
            status = MPI.Status()
            index = MPI.Request.Waitany(requests, status)
            statuses[index] = status
            seen.add(index)
        self.assertEqual(seen, set(range(self.number)))
        self.assertEqual(MPI.Request.Waitany(requests), MPI.UNDEFINED)

    def complete_Testany(self, requests, statuses):
        done = 0
        while done < self.number:
            status = MPI.Status()
            index, flag = MPI.Request.Testany(requests, status)
            if flag:
                statuses[index], done = status, done + 1
        self.assertEqual(MPI.Request.Testany(requests), (MPI.UNDEFINED, True))

    def some(self, name, requests, statuses):
        done = 0
        while done < self.number:
            batch = [MPI.Status() for _ in requests]
            indices = getattr(MPI.Request, name)(requests, batch)
            for place, index in enumerate(indices):
                statuses[index] = batch[place]
            done += len(indices)
        self.assertIsNone(getattr(MPI.Request, name)(requests))

    def complete_Waitsome(self, requests, statuses):
        self.some("Waitsome", requests, statuses)

    def complete_Testsome(self, requests, statuses):
        self.some("Testsome", requests, statuses)

    @each(*COMPLETIONS[2:])
    def test_no_requests(self, name):
        getattr(MPI.Request, name)([])

    @each(*COMPLETIONS[2:])
    def test_null_requests(self, name):
        getattr(MPI.Request, name)([MPI.REQUEST_NULL, MPI.REQUEST_NULL])

    def test_null_among_others(self):
        requests = [MPI.REQUEST_NULL] + self.start() + [MPI.REQUEST_NULL]
        MPI.Request.Waitall(requests)
        self.assertArray(self.received[3], [3, self.left])

    def test_many(self):
        received = np.zeros(3000, int)
        requests = [self.comm.Irecv(received[n:n + 1], self.left, n) for n in range(3000)]
        requests += [self.comm.Isend(np.array([n]), self.right, n) for n in range(3000)]
        MPI.Request.Waitall(requests)
        self.assertArray(received, np.arange(3000))

    def test_get_status(self):
        request = self.comm.Irecv(np.zeros(1, int), self.left, 1)
        self.comm.Send(np.zeros(1, int), self.right, 1)
        status = MPI.Status()
        while not request.Get_status(status):
            pass
        self.assertTrue(request)
        self.assertEqual((status.source, status.tag), (self.left, 1))
        request.Wait()

    def test_free_active_send(self):
        request = self.comm.Isend(np.array([5]), self.right, 2)
        request.Free()
        self.assertEqual(request, MPI.REQUEST_NULL)
        received = np.zeros(1, int)
        self.comm.Recv(received, self.left, 2)
        self.assertEqual(received[0], 5)

    def test_cancel(self):
        request, status = self.comm.Irecv(np.zeros(1, int), self.left, 99), MPI.Status()
        request.Cancel()
        request.Wait(status)
        self.assertTrue(status.Is_cancelled())
        self.assertTrue(status.cancelled)

    def test_fortran(self):
        request = self.comm.Irecv(np.zeros(1, int), self.left, 3)
        self.assertEqual(MPI.Request.f2py(request.py2f()), request)
        self.comm.Send(np.zeros(1, int), self.right, 3)
        request.Wait()

    def test_inactive_persistent(self):
        request, status = self.comm.Recv_init(np.zeros(1, int), self.left, 4), MPI.Status()
        self.assertTrue(request.Test(status))
        self.assertEqual((status.source, status.tag), (MPI.ANY_SOURCE, MPI.ANY_TAG))
        request.Wait()
        request.Free()

    def test_persistent_is_kept(self):
        receive = self.comm.Recv_init(np.zeros(1, int), self.left, 5)
        send = self.comm.Send_init(np.zeros(1, int), self.right, 5)
        for _ in range(3):
            MPI.Prequest.Startall([send, receive])
            for _ in range(2):
                self.assertIn(MPI.Request.Waitany([send, receive]), (0, 1))
            self.assertEqual(MPI.Request.Waitany([send, receive]), MPI.UNDEFINED)
        send.Free()
        receive.Free()

    def test_persistent_many_rounds(self):
        out, into = np.zeros(1, int), np.zeros(1, int)
        receive, send = self.comm.Recv_init(into, self.left), self.comm.Send_init(out, self.right)
        for number in range(500):
            out[0] = number
            receive.Start()
            send.Start()
            receive.Wait()
            send.Wait()
            self.assertEqual(into[0], number)
        receive.Free()
        send.Free()


class Null(Case):
    def empty(self, status):
        self.assertEqual((status.source, status.tag), (MPI.ANY_SOURCE, MPI.ANY_TAG))
        self.assertEqual(status.Get_count(MPI.BYTE), 0)
        self.assertFalse(status.Is_cancelled())

    def test_wait(self):
        status = MPI.Status()
        MPI.Request(MPI.REQUEST_NULL).Wait(status)
        self.empty(status)

    def test_test(self):
        status = MPI.Status()
        self.assertTrue(MPI.Request(MPI.REQUEST_NULL).Test(status))
        self.empty(status)

    def test_get_status(self):
        status = MPI.Status()
        self.assertTrue(MPI.REQUEST_NULL.Get_status(status))
        self.empty(status)

    def test_waitany(self):
        status = MPI.Status()
        MPI.Request.Waitany([MPI.REQUEST_NULL], status)
        self.empty(status)

    def test_waitall(self):
        statuses = [MPI.Status(), MPI.Status()]
        MPI.Request.Waitall([MPI.REQUEST_NULL] * 2, statuses)
        for status in statuses:
            self.empty(status)

    def test_free_fails(self):
        self.assertError((MPI.ERR_REQUEST, MPI.ERR_ARG), MPI.Request(MPI.REQUEST_NULL).Free)

    def test_cancel_fails(self):
        self.assertError((MPI.ERR_REQUEST, MPI.ERR_ARG), MPI.Request(MPI.REQUEST_NULL).Cancel)


class Status(Case):
    def test_fresh(self):
        status = MPI.Status()
        self.assertEqual((status.source, status.tag, status.error),
                         (MPI.ANY_SOURCE, MPI.ANY_TAG, MPI.SUCCESS))

    @each(0, 5, MPI.ANY_SOURCE, MPI.PROC_NULL)
    def test_source(self, value):
        status = MPI.Status()
        status.Set_source(value)
        self.assertEqual(status.Get_source(), value)
        status.source = 3
        self.assertEqual(status.source, 3)

    @each(0, 5, MPI.ANY_TAG)
    def test_tag(self, value):
        status = MPI.Status()
        status.Set_tag(value)
        self.assertEqual(status.Get_tag(), value)
        status.tag = 3
        self.assertEqual(status.tag, 3)

    @each("SUCCESS", "ERR_TAG", "ERR_TRUNCATE")
    def test_error(self, name):
        status = MPI.Status()
        status.Set_error(getattr(MPI, name))
        self.assertEqual(status.Get_error(), getattr(MPI, name))
        self.assertEqual(status.error, getattr(MPI, name))

    @each(0, 1, 100, 1 << 28)
    def test_elements(self, count):
        status = MPI.Status()
        status.Set_elements(MPI.INT, count)
        self.assertEqual(status.Get_elements(MPI.INT), count)
        self.assertEqual(status.Get_count(MPI.INT), count)
        self.assertEqual(status.Get_count(MPI.BYTE), 4 * count)

    def test_partial_elements(self):
        pair, status = MPI.INT.Create_contiguous(2).Commit(), MPI.Status()
        status.Set_elements(MPI.INT, 3)
        self.assertEqual(status.Get_elements(pair), 3)
        self.assertEqual(status.Get_count(pair), MPI.UNDEFINED)
        pair.Free()

    @each(False, True)
    def test_cancelled(self, flag):
        status = MPI.Status()
        status.Set_cancelled(flag)
        self.assertIs(status.Is_cancelled(), flag)

    def test_copy(self):
        status = MPI.Status()
        status.Set_elements(MPI.INT, 7)
        status.Set_source(2)
        status.Set_cancelled(True)
        copy = MPI.Status(status)
        self.assertEqual((copy.source, copy.Get_count(MPI.INT), copy.cancelled), (2, 7, True))
        self.assertEqual(copy, status)

    def test_fortran(self):
        comm, status = MPI.COMM_SELF, MPI.Status()
        comm.Sendrecv(np.zeros(3), 0, 8, np.zeros(3), 0, 8, status)
        back = MPI.Status.f2py(status.py2f())
        self.assertEqual((back.source, back.tag), (0, 8))
        self.assertEqual(back.Get_count(MPI.DOUBLE), 3)

    def test_pending_is_not_reported(self):
        statuses = [MPI.Status(), MPI.Status()]
        buffers = [np.zeros(1), np.zeros(1)]
        requests = [MPI.COMM_SELF.Irecv(buffer, 0, tag) for tag, buffer in enumerate(buffers)]
        for tag in (0, 1):
            MPI.COMM_SELF.Send(np.array([1.0]), 0, tag)
        MPI.Request.Waitall(requests, statuses)
        self.assertEqual([status.error for status in statuses], [MPI.SUCCESS] * 2)


class Generalized(Case):
    def start(self, **extra):
        self.calls = []

        def query(status, *arguments, **options):
            self.calls.append(("query", arguments, options))
            status.Set_source(4)
            status.Set_tag(44)
            status.Set_elements(MPI.INT, 5)
            status.Set_cancelled(False)

        def free(*arguments, **options):
            self.calls.append(("free", arguments, options))

        def cancel(complete, *arguments, **options):
            self.calls.append(("cancel", complete))

        return MPI.Grequest.Start(query, free, cancel, **extra)

    def test_wait(self):
        request, status = self.start(args=(1,), **{"kargs" if VERSION < 4 else "kwargs": {"k": 2}}), MPI.Status()
        self.assertFalse(request.Test())
        request.Complete()
        request.Wait(status)
        self.assertEqual((status.source, status.tag), (4, 44))
        self.assertEqual(status.Get_elements(MPI.INT), 5)
        self.assertEqual(self.calls, [("query", (1,), {"k": 2}), ("free", (1,), {"k": 2})])
        self.assertEqual(request, MPI.REQUEST_NULL)

    def test_test(self):
        request = self.start()
        request.Complete()
        status = MPI.Status()
        self.assertTrue(request.Test(status))
        self.assertEqual(status.tag, 44)

    def test_waitall_with_others(self):
        received = np.zeros(1)
        requests = [self.start(), MPI.COMM_SELF.Irecv(received, 0, 0)]
        MPI.COMM_SELF.Send(np.array([3.0]), 0, 0)
        requests[0].Complete()
        statuses = [MPI.Status(), MPI.Status()]
        MPI.Request.Waitall(requests, statuses)
        self.assertEqual([status.tag for status in statuses], [44, 0])

    def test_cancel(self):
        request = self.start()
        request.Cancel()
        self.assertEqual(self.calls, [("cancel", False)])
        request.Complete()
        request.Wait()

    def test_cancel_completed(self):
        request = self.start()
        request.Complete()
        request.Cancel()
        self.assertIn(("cancel", True), self.calls)
        request.Wait()

    def test_free(self):
        request = self.start()
        request.Complete()
        request.Free()
        self.assertEqual([call[0] for call in self.calls], ["free"])

    def test_no_functions(self):
        request = MPI.Grequest.Start(None, None, None)
        request.Complete()
        request.Wait()

    def test_many(self):
        requests = [self.start() for _ in range(100)]
        for request in reversed(requests):
            request.Complete()
        MPI.Request.Waitall(requests)

    def test_waitany(self):
        requests = [self.start(), self.start()]
        requests[1].Complete()
        self.assertEqual(MPI.Request.Waitany(requests), 1)
        requests[0].Complete()
        self.assertEqual(MPI.Request.Waitany(requests), 0)
