package io.ringflow.internal.graph;

import static org.bytedeco.cuda.global.cudart.cudaGetErrorString;
import static org.bytedeco.cuda.global.cudart.cudaGetLastError;
import static org.bytedeco.cuda.global.cudart.cudaGraphDestroy;
import static org.bytedeco.cuda.global.cudart.cudaGraphExecDestroy;
import static org.bytedeco.cuda.global.cudart.cudaGraphInstantiate;
import static org.bytedeco.cuda.global.cudart.cudaGraphLaunch;
import static org.bytedeco.cuda.global.cudart.cudaStreamBeginCapture;
import static org.bytedeco.cuda.global.cudart.cudaStreamCaptureModeRelaxed;
import static org.bytedeco.cuda.global.cudart.cudaStreamCreateWithFlags;
import static org.bytedeco.cuda.global.cudart.cudaStreamDestroy;
import static org.bytedeco.cuda.global.cudart.cudaStreamEndCapture;
import static org.bytedeco.cuda.global.cudart.cudaStreamNonBlocking;
import static org.bytedeco.cuda.global.cudart.cudaSuccess;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.cuda.cudart.CUgraphExec_st;
import org.bytedeco.cuda.cudart.CUgraph_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.cuda.CUDAStreamGuard;
import org.bytedeco.pytorch.cuda.DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair;
import org.bytedeco.pytorch.cuda.StreamFilter;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * CUDA graphs by raw capture of a stream.
 *
 * <p>A graph repeats its operators on the addresses they were captured with, so that nobody else
 * may ever use this memory. libtorch's allocator sees to it: while a session is open, what is
 * allocated on its stream comes from a pool of the session's own, which neither other streams nor
 * an emptied cache touch until {@link Session#close} gives it back. A stream a session, because
 * libtorch has a scratch area of matrix products for each stream, and two graphs that run at a time
 * must not share one.
 */
final class CudaBackend implements GraphBackend {
  /** Numbers of memory pools, apart from those that libtorch gives itself, which count from 1. */
  private static final AtomicLong POOLS = new AtomicLong(0x52494E47_00000000L);

  private final byte device;

  /** Fails with a linkage error where CUDA's binding or its natives are missing. */
  CudaBackend(int device) {
    Loader.load(cudart.class);
    this.device = (byte) device;
  }

  @Override
  public Session open() {
    return new CudaSession(device);
  }

  @Override
  public void trim() {
    torch_cuda.getAllocator().emptyCache();
  }

  private static void check(int error, String what) {
    if (error != cudaSuccess) {
      String reason = cudaGetErrorString(error).getString();
      cudaGetLastError(); // or the next, innocent operator would report it
      throw new CaptureException("CUDA could not " + what + ": " + reason);
    }
  }

  private static final class CudaSession implements Session {
    private final byte device;
    private final CUstream_st stream;
    private final LongPointer poolNumbers;
    private final DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair pool;
    private final Deque<CUgraphExec_st> graphs = new ArrayDeque<>();
    private OwnStream filter;
    private CUDAStreamGuard guard;
    private boolean capturing;
    private boolean closed;

    CudaSession(byte device) {
      this.device = device;
      this.stream = kept(new CUstream_st());
      check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "make a stream");
      // The binding has no name for a pool's pair of numbers, and takes a pointer to any other.
      this.poolNumbers = kept(new LongPointer(POOLS.incrementAndGet(), 0));
      this.pool = kept(new DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair(poolNumbers));
      this.filter = kept(new OwnStream(stream.address()));
      torch_cuda.getAllocator().beginAllocateToPool(device, pool, filter);
      this.guard =
          kept(new CUDAStreamGuard(torch_cuda.getStreamFromExternal(stream, device).asStream()));
    }

    @Override
    public void begin() {
      check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "begin a capture");
      capturing = true;
    }

    @Override
    public Graph end() {
      capturing = false;
      CUgraph_st graph = new CUgraph_st();
      check(cudaStreamEndCapture(stream, graph), "capture this work");
      CUgraphExec_st executable = kept(new CUgraphExec_st());
      try {
        check(cudaGraphInstantiate(executable, graph, 0L), "make a graph of this work");
        graphs.push(executable);
      } finally {
        cudaGraphDestroy(graph);
      }
      return () ->
          check(
              cudaGraphLaunch(executable, torch_cuda.getCurrentCUDAStream(device).stream()),
              "launch a graph");
    }

    @Override
    public void finish() {
      if (guard == null) {
        return;
      }
      if (capturing) { // something failed halfway: what was captured is void
        capturing = false;
        cudaStreamEndCapture(stream, new CUgraph_st());
        cudaGetLastError();
      }
      torch_cuda.getAllocator().endAllocateToPool(device, pool);
      released(guard);
      guard = null;
      released(filter);
      filter = null;
      // The scratch area of this stream stays in the pool, which is the graphs', but libtorch
      // forgets it.
      torch_cuda.clearCublasWorkspaces();
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      finish();
      torch_cuda.device_synchronize();
      while (!graphs.isEmpty()) {
        CUgraphExec_st graph = graphs.pop();
        cudaGraphExecDestroy(graph);
        graph.setNull();
        released(graph);
      }
      torch_cuda.getAllocator().releasePool(device, pool);
      released(pool);
      released(poolNumbers);
      cudaStreamDestroy(stream);
      stream.setNull();
      released(stream);
    }

    /** Keeps a pointer beyond the scope it was made in. */
    private static <P extends Pointer> P kept(P pointer) {
      pointer.retainReference();
      return pointer;
    }

    private static void released(Pointer pointer) {
      pointer.releaseReference();
    }
  }

  /** Whether a stream is the session's: asked by libtorch's allocator, on any thread. */
  private static final class OwnStream extends StreamFilter {
    private final long own;

    OwnStream(long own) {
      this.own = own;
    }

    @Override
    public boolean call(Pointer stream) {
      return stream != null && stream.address() == own; // null is libtorch's default stream
    }
  }
}
