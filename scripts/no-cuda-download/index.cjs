// The install script of onnxruntime-node calls this before it decides what to download. The server computes on the
// CPU, so it needs none of the several hundred megabytes of CUDA libraries. ONNXRUNTIME_NODE_INSTALL=cuda12 gets them.
// The same could be said in .npmrc, but npm warns about every setting there that is not its own.
exports.bootstrap = () => {
  process.env.ONNXRUNTIME_NODE_INSTALL ??= "skip";
};
