import 'multihead-attention/elements';
