import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { InlineTensor, OnnxAttribute, OnnxGraph, OnnxNode, OnnxValue } from './onnx-graph.ts';
import type { StoredTensor } from './safetensors.ts';

/** Versions of the file format and of the operator sets used by the graph. */
const IR_VERSION = 8;
const OPERATOR_SETS = { '': 17, 'com.microsoft': 1 };

/** Numbers of ONNX's TensorProto.DataType. */
const ELEMENT_TYPES = { F32: 1, float32: 1, I8: 3, int32: 6, F16: 10 };
/** Numbers of ONNX's AttributeProto.AttributeType. */
const ATTRIBUTE_TYPES = { float: 1, int: 2, ints: 7 };
/** TensorProto.DataLocation: the data is in another file. */
const EXTERNAL = 1;

/**
 * Encodes a graph as an ONNX model (`ModelProto` of onnx.proto). Stored tensors are not copied: the model refers to
 * their bytes in `weightsFile`, a file name relative to the runtime's folder of external initialisers.
 */
export function encodeOnnxModel(graph: OnnxGraph, weightsFile: string): Uint8Array {
  const writer = new BinaryWriter();
  integer(writer, 1, IR_VERSION);
  message(writer, 7, (part) => writeGraph(part, graph, weightsFile));
  for (const [domain, version] of Object.entries(OPERATOR_SETS)) {
    message(writer, 8, (part) => {
      text(part, 1, domain);
      integer(part, 2, version);
    });
  }
  return writer.finish();
}

function writeGraph(writer: BinaryWriter, graph: OnnxGraph, weightsFile: string): void {
  for (const node of graph.nodes) message(writer, 1, (part) => writeNode(part, node));
  text(writer, 2, 'encoder');
  for (const [name, tensor] of graph.tensors) {
    message(writer, 5, (part) => {
      writeTensor(part, name, tensor);
      if ('bytes' in tensor) part.tag(9, WireType.LengthDelimited).bytes(tensor.bytes);
      else writeLocation(part, tensor, weightsFile);
    });
  }
  for (const value of graph.inputs) message(writer, 11, (part) => writeValue(part, value));
  for (const value of graph.outputs) message(writer, 12, (part) => writeValue(part, value));
}

function writeNode(writer: BinaryWriter, node: OnnxNode): void {
  for (const input of node.inputs) text(writer, 1, input);
  text(writer, 2, node.output);
  text(writer, 4, node.operator);
  for (const [name, value] of Object.entries(node.attributes)) {
    message(writer, 5, (part) => {
      text(part, 1, name);
      writeAttributeValue(part, value);
    });
  }
  text(writer, 7, node.domain);
}

function writeAttributeValue(writer: BinaryWriter, value: OnnxAttribute): void {
  if (typeof value === 'number') {
    integer(writer, 3, value);
    integer(writer, 20, ATTRIBUTE_TYPES.int);
  } else if ('float' in value) {
    writer.tag(2, WireType.Bit32).float(value.float);
    integer(writer, 20, ATTRIBUTE_TYPES.float);
  } else {
    for (const item of value) integer(writer, 8, item);
    integer(writer, 20, ATTRIBUTE_TYPES.ints);
  }
}

function writeTensor(writer: BinaryWriter, name: string, tensor: StoredTensor | InlineTensor): void {
  for (const dimension of tensor.shape) integer(writer, 1, dimension);
  integer(writer, 2, ELEMENT_TYPES[tensor.type]);
  text(writer, 8, name);
}

function writeLocation(writer: BinaryWriter, tensor: StoredTensor, weightsFile: string): void {
  const location = { location: weightsFile, offset: tensor.offset, length: tensor.length };
  for (const [key, value] of Object.entries(location)) {
    message(writer, 13, (part) => {
      text(part, 1, key);
      text(part, 2, String(value));
    });
  }
  integer(writer, 14, EXTERNAL);
}

function writeValue(writer: BinaryWriter, value: OnnxValue): void {
  text(writer, 1, value.name);
  message(writer, 2, (type) => {
    message(type, 1, (tensorType) => {
      integer(tensorType, 1, ELEMENT_TYPES[value.type]);
      message(tensorType, 2, (shape) => {
        for (const dimension of value.shape) message(shape, 1, (part) => writeDimension(part, dimension));
      });
    });
  });
}

function writeDimension(writer: BinaryWriter, dimension: number | string): void {
  if (typeof dimension === 'number') integer(writer, 1, dimension);
  else text(writer, 2, dimension);
}

function message(writer: BinaryWriter, field: number, write: (part: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}

function integer(writer: BinaryWriter, field: number, value: number): void {
  writer.tag(field, WireType.Varint).int64(value);
}
