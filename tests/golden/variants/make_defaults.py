# Defaults of the configuration classes: transformers 5.12.1; python3 make_defaults.py > defaults.json
import transformers as T, json
C={'albert':'AlbertConfig','bert':'BertConfig','camembert':'CamembertConfig','deit':'DeiTConfig','dinov2':'Dinov2Config','dinov2_with_registers':'Dinov2WithRegistersConfig','distilbert':'DistilBertConfig','electra':'ElectraConfig','gemma3_text':'Gemma3TextConfig','gpt2':'GPT2Config','llama':'LlamaConfig','mistral':'MistralConfig','qwen2':'Qwen2Config','qwen3':'Qwen3Config','roberta':'RobertaConfig','xlm-roberta':'XLMRobertaConfig','vit':'ViTConfig'}
drop={'transformers_version','architectures','return_dict','dtype','id2label','label2id','problem_type','_name_or_path','stage_names','out_features','out_indices','output_hidden_states','output_attentions','layer_types'}
print(json.dumps({k:{a:b for a,b in getattr(T,v)().to_dict().items() if a not in drop} for k,v in C.items()},indent=1))
