# A Llama at 3,000 tokens, where rotary angles in float32 and exact ones differ: transformers 5.12.1 in float64, eager attention.
# python3 make_long.py ../models/llama-10 > long.json; what the last token attends to in the last layer, every tenth key.
import json, sys, torch
from transformers import AutoModelForCausalLM
m = AutoModelForCausalLM.from_pretrained(sys.argv[1], attn_implementation='eager', dtype=torch.float64).eval()
torch.manual_seed(3); ids = torch.randint(5, 61, (1, 3000))
with torch.no_grad(): weights = m(input_ids=ids, output_attentions=True).attentions[-1][0, :, -1, ::10]
json.dump({'ids': ids[0].tolist(), 'weights': [[float(f'{v:.7g}') for v in head] for head in weights.tolist()]}, sys.stdout, separators=(',', ':'))
