"""Counts the documents and tokens of a shard folder, with Python's standard library only.

This reader was written from the specification alone. It decodes the flatbuffers of the footer and of
the messages itself.  python3 count-shards.py FOLDER
"""
import array
import json
import struct
import sys


def unpack(form, data, at):
    return struct.unpack_from('<' + form, data, at)[0]


def follow(data, at):
    return at + unpack('I', data, at)


def field(data, table, number):
    """The position of a field in a flatbuffers table. The field must be set."""
    vtable = table - unpack('i', data, table)
    return table + unpack('H', data, vtable + 4 + 2 * number)


def batches(data):
    """Yields the rows of each record batch, and a function from a buffer's number to its bytes."""
    assert data[:6] == data[-6:] == b'ARROW1'
    end = len(data) - 10
    footer = data[end - unpack('i', data, end):end]
    blocks = follow(footer, field(footer, follow(footer, 0), 3))
    for i in range(unpack('I', footer, blocks)):
        start, size, _ = struct.unpack_from('<qi4xq', footer, blocks + 4 + 24 * i)
        message = data[start + 8:start + size]
        batch = follow(message, field(message, follow(message, 0), 2))
        buffers = follow(message, field(message, batch, 2)) + 4

        def content(number, message=message, buffers=buffers, body=start + size):
            offset, length = struct.unpack_from('<qq', message, buffers + 16 * number)
            return data[body + offset:body + offset + length]

        yield unpack('q', message, field(message, batch, 0)), content


folder = sys.argv[1]
with open(folder + '/manifest.json', encoding='utf-8') as file:
    manifest = json.load(file)
end_of_text = manifest['tokenizer']['end_of_text']
code = 'H' if manifest['tokenizer']['vocabulary_size'] <= 65536 else 'i'
all_agree = True
for split, entry in manifest['splits'].items():
    documents = tokens = text_bytes = 0
    first = last = None
    for shard in entry['shards']:
        with open(folder + '/' + shard['file'], 'rb') as file:
            data = file.read()
        for rows, content in batches(data):
            offsets = array.array('i', content(1))
            ids = array.array(code, content(3))[:offsets[rows]]
            assert all(ids[end - 1] == end_of_text for end in offsets[1:rows + 1])
            text_bytes += sum(array.array('q', content(10))[:rows])
            documents += rows
            tokens += len(ids)
            first = first or list(ids[:5])
            last = list(ids[-5:])
    agrees = (documents, tokens) == (entry['documents'], entry['tokens'])
    all_agree &= agrees
    print(f'{split}: {documents} documents, {tokens} tokens, {text_bytes} bytes of text,',
          f'first {first}, last {last},', 'as in the manifest' if agrees else 'NOT AS IN THE MANIFEST')
sys.exit(0 if all_agree else 1)
