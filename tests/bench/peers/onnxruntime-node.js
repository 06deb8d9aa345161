/** Native code, not WebAssembly: a yardstick, for those who put the package here (`npm install --no-save onnxruntime-node`). */
import * as ort from 'onnxruntime-node';
import { onnxForms, onnxLibrary } from '../models/onnx-session.js';

export const forms = onnxForms;

export const { layer, attention } = onnxLibrary(ort.Tensor, async (model, threads) => {
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  return { session, threads };
});
