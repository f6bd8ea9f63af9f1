# SPDX-License-Identifier: BSD-3-Clause
"""Point-to-point communication of buffers: modes, types, wildcards, probes."""
import array

import numpy as np
from mpi4py import MPI

from support import CODES, FIXED, Case, CommCase, backwards, duplicate, each, on, self_, world

MODES = ["Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend",
         "Send_init", "Bsend_init", "Ssend_init", "Rsend_init"]
LENGTHS = [0, 1, 7, 1000, 70000]


class Attached:
    """Space for buffered sends while in a with statement."""

    def __init__(self, size=1 << 21):
        self.buffer = MPI.Alloc_mem(size)

    def __enter__(self):
        MPI.Attach_buffer(self.buffer)

    def __exit__(self, *exc):
        MPI.Detach_buffer()
        MPI.Free_mem(self.buffer)


class RingMixin:
    """Every rank sends to its right and receives from its left."""

    @each(*MODES)
    def test_mode(self, mode):
        sent, received = np.arange(50) + self.rank, np.zeros(50, int)
        status = MPI.Status()
        with Attached():
            request = self.comm.Irecv(received, self.left, 5)
            self.comm.Barrier()  # for the ready modes
            sending = getattr(self.comm, mode)(sent, self.right, 5) if self.can(mode) else None
            if mode.endswith("init"):
                sending.Start()
            request.Wait(status)
            if sending is not None:
                sending.Wait()
                if mode.endswith("init"):
                    sending.Free()
        self.assertArray(received, np.arange(50) + self.left)
        self.assertEqual((status.source, status.tag), (self.left, 5))
        self.assertEqual(status.Get_count(MPI.LONG), 50)

    def can(self, mode):
        return True

    @each(*LENGTHS)
    def test_length(self, length):
        sent, received = np.arange(length) + self.rank, np.full(length, -1)
        self.comm.Sendrecv(sent, self.right, 1, received, self.left, 1)
        self.assertArray(received, np.arange(length) + self.left)

    @each(*LENGTHS)
    def test_replace(self, length):
        buffer = np.arange(length) + self.rank
        status = MPI.Status()
        self.comm.Sendrecv_replace(buffer, self.right, 2, self.left, 2, status)
        self.assertArray(buffer, np.arange(length) + self.left)
        self.assertEqual(status.Get_source(), self.left)

    def test_any_source(self):
        received, status = np.zeros(1, int), MPI.Status()
        request = self.comm.Irecv(received, MPI.ANY_SOURCE, 3)
        self.comm.Send(np.array([self.rank]), self.right, 3)
        request.Wait(status)
        self.assertEqual((status.source, received[0]), (self.left, self.left))

    def test_any_tag(self):
        received, status = np.zeros(1, int), MPI.Status()
        request = self.comm.Irecv(received, self.left, MPI.ANY_TAG)
        self.comm.Send(np.array([7]), self.right, 1234 + self.rank)
        request.Wait(status)
        self.assertEqual(status.tag, 1234 + self.left)

    def test_any_source_and_tag(self):
        received, status = np.zeros(4, int), MPI.Status()
        request = self.comm.Irecv(received)
        self.comm.Send(np.array([7]), self.right, 6)
        request.Wait(status)
        self.assertEqual((status.source, status.tag), (self.left, 6))
        self.assertEqual(status.Get_count(MPI.LONG), 1)
        self.assertEqual(status.Get_elements(MPI.LONG), 1)

    def test_largest_tag(self):
        tag = MPI.COMM_WORLD.Get_attr(MPI.TAG_UB)
        received, status = np.zeros(1, int), MPI.Status()
        self.comm.Sendrecv(np.array([7]), self.right, tag, received, self.left, tag, status)
        self.assertEqual((status.tag, received[0]), (tag, 7))

    def test_order(self):
        received = [np.zeros(1, int) for _ in range(20)]
        requests = [self.comm.Irecv(buffer, self.left, 4) for buffer in received]
        for number in range(20):
            self.comm.Send(np.array([number]), self.right, 4)
        MPI.Request.Waitall(requests)
        self.assertEqual([int(b[0]) for b in received], list(range(20)))

    def test_tags_select(self):
        first, second = np.zeros(1, int), np.zeros(1, int)
        requests = [self.comm.Irecv(first, self.left, 1), self.comm.Irecv(second, self.left, 2)]
        self.comm.Send(np.array([22]), self.right, 2)
        self.comm.Send(np.array([11]), self.right, 1)
        MPI.Request.Waitall(requests)
        self.assertEqual((first[0], second[0]), (11, 22))

    def test_persistent_repeats(self):
        sent, received = np.zeros(3, int), np.zeros(3, int)
        send = self.comm.Send_init(sent, self.right, 8)
        receive = self.comm.Recv_init(received, self.left, 8)
        handles = MPI._handleof(send), MPI._handleof(receive)
        for round_ in range(5):
            sent[:] = self.rank * 10 + round_
            MPI.Prequest.Startall([receive, send])
            MPI.Request.Waitall([receive, send])
            self.assertArray(received, [self.left * 10 + round_] * 3)
            self.assertEqual((MPI._handleof(send), MPI._handleof(receive)), handles)
        send.Free()
        receive.Free()
        self.assertEqual(send, MPI.REQUEST_NULL)
        self.assertEqual(receive, MPI.REQUEST_NULL)

    def test_probe(self):
        request = self.comm.Isend(np.arange(9), self.right, 11)
        status = MPI.Status()
        self.comm.Probe(self.left, 11, status)
        self.assertEqual((status.source, status.tag), (self.left, 11))
        self.assertEqual(status.Get_count(MPI.LONG), 9)
        received = np.zeros(9, int)
        self.comm.Recv(received, status.source, status.tag)
        request.Wait()
        self.assertArray(received, np.arange(9))

    def test_iprobe(self):
        self.assertFalse(self.comm.Iprobe(self.left, 12))
        self.comm.Barrier()
        request = self.comm.Isend(np.arange(3), self.right, 12)
        status = MPI.Status()
        while not self.comm.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG, status):
            pass
        self.assertEqual((status.source, status.tag), (self.left, 12))
        self.comm.Recv(np.zeros(3, int), self.left, 12)
        request.Wait()

    @each("Recv", "Irecv")
    def test_matched_probe(self, receive):
        request = self.comm.Isend(np.arange(6), self.right, 13)
        status = MPI.Status()
        message = self.comm.Mprobe(MPI.ANY_SOURCE, MPI.ANY_TAG, status)
        self.assertEqual((status.source, status.tag), (self.left, 13))
        self.assertEqual(status.Get_count(MPI.LONG), 6)
        self.assertTrue(message)
        received = np.zeros(6, int)
        done = getattr(message, receive)(received)
        if done is not None:
            done.Wait()
        self.assertEqual(message, MPI.MESSAGE_NULL)
        self.assertArray(received, np.arange(6))
        request.Wait()

    def test_improbe(self):
        self.assertIsNone(self.comm.Improbe(self.left, 14))
        self.comm.Barrier()
        request = self.comm.Isend(np.arange(2), self.right, 14)
        message, status = None, MPI.Status()
        while message is None:
            message = self.comm.Improbe(self.left, 14, status)
        received = np.zeros(2, int)
        message.Recv(received, status)
        self.assertEqual((status.source, status.tag), (self.left, 14))
        self.assertArray(received, [0, 1])
        request.Wait()

    def test_message_class_methods(self):
        request = self.comm.Isend(np.arange(2), self.right, 15)
        message = MPI.Message.Probe(self.comm, self.left, 15)
        self.assertIsNone(MPI.Message.Iprobe(self.comm, self.left, 15))
        received = np.zeros(2, int)
        message.Irecv(received).Wait()
        request.Wait()
        self.assertArray(received, [0, 1])


on(globals(), RingMixin, world, self_, duplicate, backwards)


class Types(CommCase):
    @each(*CODES)
    def test_c_type(self, code):
        datatype = CODES[code]
        sent = (np.arange(10) + self.rank).astype(code)
        received, status = np.zeros(10, code), MPI.Status()
        self.comm.Sendrecv([sent, 10, datatype], self.right, 0,
                           [received, datatype], self.left, 0, status)
        self.assertArray(received, (np.arange(10) + self.left).astype(code))
        self.assertEqual(status.Get_count(datatype), 10)
        self.assertEqual(status.Get_elements(datatype), 10)

    @each(*FIXED)
    def test_fixed_type(self, code):
        sent, received = (np.arange(10) + self.rank).astype(code), np.zeros(10, code)
        self.comm.Sendrecv([sent, FIXED[code]], self.right, 0, [received, FIXED[code]], self.left)
        self.assertArray(received, (np.arange(10) + self.left).astype(code))

    @each(*CODES)
    def test_automatic_type(self, code):
        sent, received = (np.arange(10) + self.rank).astype(code), np.zeros(10, code)
        self.comm.Sendrecv(sent, self.right, 0, received, self.left)
        self.assertArray(received, (np.arange(10) + self.left).astype(code))

    @each("b", "h", "i", "l", "q", "f", "d", "B", "H", "I", "L", "Q")
    def test_array_module(self, code):
        sent, received = array.array(code, range(5)), array.array(code, [0] * 5)
        self.comm.Sendrecv(sent, self.right, 0, received, self.left)
        self.assertEqual(received, sent)

    def test_bytes(self):
        received = bytearray(5)
        self.comm.Sendrecv(b"hello", self.right, 0, received, self.left)
        self.assertEqual(received, b"hello")

    def test_bool(self):
        received = np.zeros(3, bool)
        self.comm.Sendrecv(np.array([1, 0, 1], bool), self.right, 0, received, self.left)
        self.assertArray(received, [True, False, True])

    def test_typecode_string(self):
        received = np.zeros(4, "d")
        self.comm.Sendrecv([np.arange(4.0), "d"], self.right, 0, [received, "d"], self.left)
        self.assertArray(received, np.arange(4.0))

    def test_count_and_displacement(self):
        received = np.full(10, -1, "i")
        self.comm.Sendrecv([np.arange(10, dtype="i"), (3, 4), MPI.INT], self.right, 0,
                           [received, (3, 2), MPI.INT], self.left)
        self.assertArray(received, [-1, -1, 4, 5, 6, -1, -1, -1, -1, -1])

    def test_bottom(self):
        sent, received = np.arange(4, dtype="i"), np.zeros(4, "i")
        types = [MPI.INT.Create_hindexed([4], [MPI.Get_address(a)]).Commit()
                 for a in (sent, received)]
        self.comm.Sendrecv([MPI.BOTTOM, 1, types[0]], self.right, 0,
                           [MPI.BOTTOM, 1, types[1]], self.left)
        for datatype in types:
            datatype.Free()
        self.assertArray(received, sent)

    def test_column_of_matrix(self):
        matrix, received = np.arange(12, dtype="d").reshape(4, 3), np.zeros(4)
        column = MPI.DOUBLE.Create_vector(4, 1, 3).Commit()
        self.comm.Sendrecv([matrix, 1, column], self.right, 0, received, self.left)
        column.Free()
        self.assertArray(received, matrix[:, 0])

    def test_partial_element_count(self):
        pair, status = MPI.INT.Create_contiguous(2).Commit(), MPI.Status()
        self.comm.Sendrecv(np.arange(3, dtype="i"), self.right, 0,
                           [np.zeros(4, "i"), 2, pair], self.left, 0, status)
        self.assertEqual(status.Get_count(pair), MPI.UNDEFINED)
        self.assertEqual(status.Get_elements(pair), 3)
        pair.Free()

    def test_packed(self):
        packed = bytearray(MPI.INT.Pack_size(3, self.comm) + MPI.DOUBLE.Pack_size(1, self.comm))
        at = MPI.INT.Pack(np.arange(3, dtype="i"), packed, 0, self.comm)
        at = MPI.DOUBLE.Pack(np.array([2.5]), packed, at, self.comm)
        received = bytearray(len(packed))
        self.comm.Sendrecv([packed, at, MPI.PACKED], self.right, 0,
                           [received, MPI.PACKED], self.left)
        whole, real = np.zeros(3, "i"), np.zeros(1)
        at = MPI.INT.Unpack(received, 0, whole, self.comm)
        MPI.DOUBLE.Unpack(received, at, real, self.comm)
        self.assertArray(whole, [0, 1, 2])
        self.assertArray(real, [2.5])


class ProcNull(CommCase):
    @each("Send", "Ssend", "Rsend", "Isend", "Issend", "Irsend")
    def test_send(self, mode):
        request = getattr(self.comm, mode)(np.zeros(3), MPI.PROC_NULL, 9)
        if request is not None:
            request.Wait()

    def check(self, status):
        self.assertEqual(status.Get_source(), MPI.PROC_NULL)
        self.assertEqual(status.Get_tag(), MPI.ANY_TAG)
        self.assertEqual(status.Get_count(MPI.DOUBLE), 0)

    def test_recv(self):
        buffer, status = np.full(3, 5.0), MPI.Status()
        self.comm.Recv(buffer, MPI.PROC_NULL, 9, status)
        self.check(status)
        self.assertArray(buffer, [5.0] * 3)

    def test_irecv(self):
        status = MPI.Status()
        self.comm.Irecv(np.zeros(3), MPI.PROC_NULL).Wait(status)
        self.check(status)

    def test_sendrecv(self):
        status = MPI.Status()
        self.comm.Sendrecv(np.zeros(3), MPI.PROC_NULL, 0, np.zeros(3), MPI.PROC_NULL, 0, status)
        self.check(status)

    def test_probe(self):
        status = MPI.Status()
        self.comm.Probe(MPI.PROC_NULL, MPI.ANY_TAG, status)
        self.check(status)

    def test_iprobe(self):
        status = MPI.Status()
        self.assertTrue(self.comm.Iprobe(MPI.PROC_NULL, MPI.ANY_TAG, status))
        self.check(status)

    def test_mprobe(self):
        status = MPI.Status()
        message = self.comm.Mprobe(MPI.PROC_NULL, MPI.ANY_TAG, status)
        self.assertEqual(message, MPI.MESSAGE_NO_PROC)
        self.check(status)

    def test_mrecv(self):
        status = MPI.Status()
        message = self.comm.Mprobe(MPI.PROC_NULL)
        message.Recv(np.zeros(1), status)
        self.assertEqual(message, MPI.MESSAGE_NULL)
        self.check(status)

    def test_imrecv(self):
        status = MPI.Status()
        message = self.comm.Improbe(MPI.PROC_NULL)
        message.Irecv(np.zeros(1)).Wait(status)
        self.assertEqual(message, MPI.MESSAGE_NULL)
        self.check(status)

    def test_persistent(self):
        status = MPI.Status()
        request = self.comm.Recv_init(np.zeros(1), MPI.PROC_NULL)
        request.Start()
        request.Wait(status)
        request.Free()
        self.check(status)


class Buffered(Case):
    def test_many(self):
        comm, number = MPI.COMM_SELF, 50
        size = MPI.DOUBLE.Pack_size(10, comm) + MPI.BSEND_OVERHEAD
        MPI.Attach_buffer(MPI.Alloc_mem(size * number))
        for tag in range(number):
            comm.Bsend(np.full(10, float(tag)), 0, tag)
        for tag in reversed(range(number)):
            received = np.zeros(10)
            comm.Recv(received, 0, tag)
            self.assertArray(received, [tag] * 10)
        self.assertEqual(MPI.Detach_buffer().nbytes, size * number)

    def test_detach_returns_what_was_attached(self):
        memory = MPI.Alloc_mem(4096 + MPI.BSEND_OVERHEAD)
        MPI.Attach_buffer(memory)
        detached = MPI.Detach_buffer()
        self.assertEqual((detached.address, detached.nbytes), (memory.address, memory.nbytes))
        MPI.Free_mem(memory)

    def test_numpy_array_as_buffer(self):
        space = np.zeros(8192, "B")
        MPI.Attach_buffer(space)
        MPI.COMM_SELF.Bsend(np.arange(5), 0)
        received = np.zeros(5, int)
        MPI.COMM_SELF.Recv(received, 0)
        MPI.Detach_buffer()
        self.assertArray(received, np.arange(5))


class Errors(CommCase):
    make = staticmethod(duplicate)

    def setUp(self):
        super().setUp()
        self.comm.Set_errhandler(MPI.ERRORS_RETURN)

    def test_rank(self):
        self.assertError(MPI.ERR_RANK, self.comm.Send, np.zeros(1), self.size + 5)

    def test_negative_rank(self):
        self.assertError(MPI.ERR_RANK, self.comm.Send, np.zeros(1), -100)

    def test_tag(self):
        self.assertError(MPI.ERR_TAG, self.comm.Send, np.zeros(1), self.rank, -50)

    def test_any_tag_to_send(self):
        self.assertError(MPI.ERR_TAG, self.comm.Send, np.zeros(1), self.rank, MPI.ANY_TAG)

    def test_any_source_to_send(self):
        self.assertError(MPI.ERR_RANK, self.comm.Send, np.zeros(1), MPI.ANY_SOURCE, 0)

    def test_count(self):
        datatype = MPI.INT
        self.assertError((MPI.ERR_COUNT, MPI.ERR_ARG), datatype.Create_contiguous, -1)

    def test_type(self):
        self.assertError(MPI.ERR_TYPE, self.comm.Send,
                         [np.zeros(1), 1, MPI.DATATYPE_NULL], self.rank)

    def test_null_comm(self):
        self.assertError(MPI.ERR_COMM, MPI.COMM_NULL.Get_size)

    def test_truncation(self):
        request = self.comm.Isend(np.zeros(4), self.right, 3)
        self.assertError(MPI.ERR_TRUNCATE, self.comm.Recv, np.zeros(1), self.left, 3)
        request.Wait()
