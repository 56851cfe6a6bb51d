/**
 * Data-parallel training by several processes, through libtorch's c10d (Gloo and NCCL).
 *
 * <p>{@link io.ringflow.distributed.ProcessGroup} is the whole interface. Every process runs the
 * same program on the same data and joins the group; a training then gives each process its {@link
 * io.ringflow.distributed.Shard} of every batch and all-reduces the gradients, so that all hold the
 * same weights after every step. Rank 0 alone writes files. A program without a group uses {@link
 * io.ringflow.distributed.ProcessGroup#single}, which exchanges nothing: there is one code path for
 * one process and for many.
 *
 * <h2>How a group is joined</h2>
 *
 * {@link io.ringflow.distributed.Rendezvous} holds what the environment says: the size of the
 * group, the rank of this process, and the address of the store. Rank 0 (or torchrun) runs that
 * store; all processes register there, and Gloo then connects every process with every other. On
 * GPUs, NCCL carries the tensors, and Gloo carries the rest.
 *
 * <h2>What happens when a process is gone</h2>
 *
 * A call that needs the process throws {@link io.ringflow.distributed.ProcessGroupException}: at
 * once if the connection is closed, after the time-out if the process hangs. A thread that waits
 * for its GPU can't be told in this way, so a group of GPUs also has a heartbeat on a thread of its
 * own, which reports the loss to the listener given to {@link
 * io.ringflow.distributed.ProcessGroup#join(Rendezvous, io.ringflow.core.Device,
 * java.util.function.Consumer)}. Nothing in this package prints, and nothing ends the process: that
 * is for the program to decide.
 *
 * <p>A group can't be repaired from inside. End all processes and start them again: a training
 * resumes from its last checkpoint.
 *
 * <p>Linux only: the store's socket is found through {@code /proc}.
 */
package io.ringflow.distributed;
