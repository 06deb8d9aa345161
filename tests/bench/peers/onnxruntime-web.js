import * as ort from 'onnxruntime-web';
import { onnxForms, onnxLibrary } from '../models/onnx-session.js';

export const forms = onnxForms;

export const { layer, attention, minilm } = onnxLibrary(ort.Tensor, async (model, threads) => {
  ort.env.wasm.numThreads = threads;
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    logSeverityLevel: 3,
  });
  return { session, threads: ort.env.wasm.numThreads };
});
