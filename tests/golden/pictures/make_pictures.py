# Goldens of pictures: Pillow's resize, transformers' processors that use it, and DINOv2 at sizes other than its own.
# python3 make_pictures.py, with Pillow 13.0, NumPy 2.4, transformers 5.12.1 and torch 2.14; writes the JSON files beside it.
import base64, hashlib, json, os
import numpy as np, torch, transformers
from PIL import Image, __version__ as pillow
from transformers.models.bit.image_processing_pil_bit import BitImageProcessorPil
from transformers.models.deit.image_processing_pil_deit import DeiTImageProcessorPil
from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

# Pillow 13.0 filters some tall pictures down before across, which changes values by 1. All versions before it, with which
# models were trained, filter across first: two calls give their numbers.
pillow_resize = Image.Image.resize


def resize(image, size, resample=None, *args, **named):
    return pillow_resize(pillow_resize(image, (size[0], image.height), resample), size, resample, *args, **named)


Image.Image.resize = resize

here = os.path.dirname(os.path.abspath(__file__))


def picture(width, height):
    """A picture that the test makes anew: edges, gradients and noise, the same in every language."""
    y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing='ij')
    edge = np.where((x // 5 + y // 3 + c) % 2 == 0, 200, 30)
    noise = (x * x * 7 + y * 131 + x * y * (c + 3) + c * 57) % 251
    return ((edge + noise * 3 + (x * 255) // width) // 5).astype(np.uint8)


def write(name, value):
    with open(os.path.join(here, name), 'w') as file:
        json.dump(value, file, separators=(',', ':'))


versions = {'pillow': pillow, 'transformers': transformers.__version__, 'torch': torch.__version__}

resized = []
for width, height, new_width, new_height in [(13, 9, 8, 7), (7, 5, 16, 11), (40, 3, 8, 8), (5, 31, 9, 7), (1, 1, 8, 7), (320, 213, 9, 7), (12, 8, 12, 7), (12, 8, 9, 8)]:
    for resample in range(4):
        data = np.asarray(Image.fromarray(picture(width, height)).resize((new_width, new_height), resample))
        resized.append({'from': [width, height], 'to': [new_width, new_height], 'resample': resample, 'data': base64.b64encode(data.tobytes()).decode()})
for width, height, new_width, new_height in [(640, 427, 224, 224), (100, 150, 256, 256)]:
    for resample in range(4):
        data = np.asarray(Image.fromarray(picture(width, height)).resize((new_width, new_height), resample))
        resized.append({'from': [width, height], 'to': [new_width, new_height], 'resample': resample, 'sha256': hashlib.sha256(data.tobytes()).hexdigest()})

imagenet = {'image_mean': [0.485, 0.456, 0.406], 'image_std': [0.229, 0.224, 0.225]}
size = lambda height, width: {'height': height, 'width': width}
processors = [
    # As published models write it; older files give a single number.
    (ViTImageProcessorPil, {'image_processor_type': 'ViTImageProcessor', 'size': size(28, 28)}),
    (ViTImageProcessorPil, {'feature_extractor_type': 'ViTFeatureExtractor', 'size': 28, 'resample': 0, **imagenet}),
    (ViTImageProcessorPil, {'image_processor_type': 'ViTImageProcessorFast', 'size': size(28, 28), 'resample': 1, 'do_normalize': False}),
    (ViTImageProcessorPil, {'image_processor_type': 'ViTImageProcessor', 'size': size(28, 28), 'do_rescale': False}),
    (DeiTImageProcessorPil, {'image_processor_type': 'DeiTImageProcessor', 'size': size(32, 32), 'crop_size': size(28, 28)}),
    (DeiTImageProcessorPil, {'feature_extractor_type': 'DeiTFeatureExtractor', 'size': 33, 'crop_size': 28, 'do_center_crop': True, 'resample': 3, **imagenet}),
    # Smaller than what is cut out of it: black around it.
    (DeiTImageProcessorPil, {'image_processor_type': 'DeiTImageProcessor', 'size': size(23, 40), 'crop_size': size(28, 28)}),
    (BitImageProcessorPil, {'image_processor_type': 'BitImageProcessor', 'size': {'shortest_edge': 32}, 'crop_size': size(28, 28), **imagenet}),
    (BitImageProcessorPil, {'image_processor_type': 'BitImageProcessor', 'size': 29, 'crop_size': 28, 'rescale_factor': 0.01}),
    (BitImageProcessorPil, {'image_processor_type': 'BitImageProcessor', 'size': {'shortest_edge': 28}, 'crop_size': size(28, 28)}),
    (BitImageProcessorPil, {'image_processor_type': 'BitImageProcessor', 'do_resize': False, 'crop_size': size(28, 28)}),
]
processed = []
for cls, fields in processors:
    processor = cls(**{name: value for name, value in fields.items() if not name.endswith('_type')})
    for width, height in [(50, 37), (31, 64)]:
        values = processor(Image.fromarray(picture(width, height)), return_tensors='np')['pixel_values'][0]
        assert values.shape == (3, 28, 28)
        values = values.astype(np.float32)
        rows = base64.b64encode(values[:, ::9, ::9].tobytes()).decode()
        processed.append({'preprocessor': fields, 'picture': [width, height], 'every9th': rows, 'sha256': hashlib.sha256(values.tobytes()).hexdigest()})
write('pictures.json', {'versions': versions, 'resized': resized, 'processed': processed})

runs = []
for name, height, width in [('dinov2-10', 14, 14), ('dinov2-11', 21, 45), ('dinov2_with_registers-10', 14, 14), ('dinov2_with_registers-11', 37, 21)]:
    folder = os.path.join(here, '..', 'models', name)
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation='eager', dtype=torch.float64).eval()
    pixels = torch.from_numpy(picture(width, height).transpose(2, 0, 1)[None].astype(np.float64) / 128 - 1)
    with torch.no_grad():
        state = model(pixels).last_hidden_state
    runs.append({'model': name, 'picture': [width, height], 'shape': list(state.shape), 'data': [float(f'{v:.9g}') for v in state.flatten().tolist()]})
write('sizes.json', {'versions': versions, 'runs': runs})
